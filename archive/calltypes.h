/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of a library as rows of share/calltype.h, with the types that its
 * debug information has. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_CALLTYPES_H
#define ERTOOLS_ARCHIVE_CALLTYPES_H

#include <stdio.h>

#include "share/types.h"

/*
 * Write a line for each function that a program or library exports, or only for those
 * of `count` names that it does: its row; its name alone where no type is known; or a
 * comment, why it cannot be recorded. A comment before them says how many have a type.
 * 0; -ENOEXEC: no such file of this machine; -ENOMEM; or -errno.
 */
int calltypes_write(const char *path, char *const *names, u32 count, FILE *out);

#endif
