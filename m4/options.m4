# SPDX-License-Identifier: Apache-2.0

# ER_ARG_WERROR: --enable-werror sets WERROR_CFLAGS.
AC_DEFUN([ER_ARG_WERROR],
[AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])])
AS_IF([test "x$enable_werror" = xyes], [WERROR_CFLAGS=-Werror])
AC_SUBST([WERROR_CFLAGS])])

# ER_ARG_SANITIZERS: --enable-sanitizers sets SANITIZE_FLAGS, which the programs
# and their libraries use. What is loaded into a target never does.
AC_DEFUN([ER_ARG_SANITIZERS],
[AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers],
        [address and undefined-behaviour checks in the programs])])
AS_IF([test "x$enable_sanitizers" = xyes],
    [SANITIZE_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
     SANITIZE_FLAGS="$SANITIZE_FLAGS -fno-omit-frame-pointer"])
AC_SUBST([SANITIZE_FLAGS])])

# ER_OPTIONAL_FLAG(VAR, FLAG): VAR_CFLAGS is the flag, or nothing where the compiler
# does not have it.
AC_DEFUN([ER_OPTIONAL_FLAG],
[AC_MSG_CHECKING([whether $CC has $2])
er_cflags=$CFLAGS
CFLAGS="$CFLAGS -Werror $2"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([int er_flag;])],
    [$1_CFLAGS=$2
     AC_MSG_RESULT([yes])],
    [$1_CFLAGS=
     AC_MSG_RESULT([no])])
CFLAGS=$er_cflags
AC_SUBST([$1_CFLAGS])])

# ER_CLANG_NO_INLINE: NO_INLINE_CPPFLAGS keeps libc's headers from defining functions
# inline, where the compiler is clang: it does not let us define them once more.
AC_DEFUN([ER_CLANG_NO_INLINE],
[AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#ifndef __clang__
#error not clang
#endif]])], [NO_INLINE_CPPFLAGS=-D__NO_INLINE__], [NO_INLINE_CPPFLAGS=])
AC_SUBST([NO_INLINE_CPPFLAGS])])
