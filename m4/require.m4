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

# ER_REQUIRE_LIB(VAR, HEADERS, LIBRARY, FUNCTION, DEBIAN-PACKAGE)
# for a library without a pkg-config file; sets VAR_LIBS, and HAVE_ of the first of the
# headers that is there.
AC_DEFUN([ER_REQUIRE_LIB],
[er_found=no
AC_CHECK_HEADERS([$2], [er_found=yes; break])
AS_IF([test $er_found = yes],
    [AC_CHECK_LIB([$3], [$4], [$1_LIBS=-l$3], [ER_MISSING([lib$3], [$5])])],
    [ER_MISSING([$2], [$5])])
AC_SUBST([$1_LIBS])])

# ER_REQUIRE_GLIBC: the collector replaces functions of the GNU C library, by its names
# and versions of symbols.
AC_DEFUN([ER_REQUIRE_GLIBC],
[AC_MSG_CHECKING([for the GNU C library])
AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <features.h>
#ifndef __GLIBC__
#error not the GNU C library
#endif]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([ertools works with the GNU C library only; musl will not do yet])])])

# ER_MISSING_REPORT: end here when anything was missing, and name all of it.
AC_DEFUN([ER_MISSING_REPORT],
[AS_IF([test -n "$er_missing"],
    [AC_MSG_ERROR([missing:$er_missing
Install them with: apt-get install$er_missing_packages])])])
