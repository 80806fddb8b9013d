/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the functions that a library exports, as rows of share/calltype.h. The types
 * come from its debug information. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_CALLTYPES_H
#define ERTOOLS_ARCHIVE_CALLTYPES_H

#include <stdio.h>

#include "share/types.h"

/*
 * Write a line for each function that a program or library exports, except _init and
 * _fini; or, if count is not 0, only for those whose names are given. The line is the
 * function's row; only its name if the type is not known; or a comment that says why it
 * cannot be recorded. A comment at the beginning says how many functions have a type.
 * 0; -ENOEXEC: not an ELF file for x86-64; -ENOMEM; or -errno.
 */
int calltypes_write(const char *path, char *const *names, u32 count, FILE *out);

#endif
