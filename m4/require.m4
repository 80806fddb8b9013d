# SPDX-License-Identifier: Apache-2.0
# Libraries that are looked for one by one and reported together.

# ER_MISSING(WHAT, DEBIAN-PACKAGE): remember that WHAT was not found.
AC_DEFUN([ER_MISSING],
[er_missing="$er_missing
    $1 (Debian package $2)"
er_missing_packages="$er_missing_packages $2"])

# ER_REQUIRE_MODULE(VAR, PKG-CONFIG-MODULE, DEBIAN-PACKAGE)
# sets VAR_CFLAGS and VAR_LIBS.
AC_DEFUN([ER_REQUIRE_MODULE],
[PKG_CHECK_MODULES([$1], [$2], , [ER_MISSING([$2], [$3])])])

# ER_OPTIONAL_MODULE(VAR, PKG-CONFIG-MODULE, DEBIAN-PACKAGE, CONSEQUENCE)
# sets VAR_CFLAGS, VAR_LIBS and HAVE_VAR (yes or no).
AC_DEFUN([ER_OPTIONAL_MODULE],
[PKG_CHECK_MODULES([$1], [$2], [HAVE_$1=yes],
    [HAVE_$1=no
     AC_MSG_WARN([$2 was not found (Debian package $3): $4])])
AC_SUBST([HAVE_$1])])

# ER_REQUIRE_LIB(VAR, HEADER, LIBRARY, FUNCTION, DEBIAN-PACKAGE)
# for a library without a pkg-config file; sets VAR_LIBS.
AC_DEFUN([ER_REQUIRE_LIB],
[AC_CHECK_HEADER([$2],
    [AC_CHECK_LIB([$3], [$4], [$1_LIBS=-l$3], [ER_MISSING([lib$3], [$5])])],
    [ER_MISSING([$2], [$5])])
AC_SUBST([$1_LIBS])])

# ER_MISSING_REPORT: end here when anything was missing, and name all of it.
AC_DEFUN([ER_MISSING_REPORT],
[AS_IF([test -n "$er_missing"],
    [AC_MSG_ERROR([missing:$er_missing
Install them with: apt-get install$er_missing_packages])])])
