/* SPDX-License-Identifier: Apache-2.0 */
/* Writes numbers of bytes for people, such as "24.1 MiB". Ordinary process context. */
#ifndef ERTOOLS_PRINT_EXPORT_BYTES_H
#define ERTOOLS_PRINT_EXPORT_BYTES_H

#include <stdbool.h>

#include "share/types.h"

enum { BYTES_MAX = 32 }; /* bytes of the text at most, with its final zero */

/*
 * Write "24.1 MiB" into buf, of BYTES_MAX bytes, if it is a MiB or more. False: it is
 * less, which is short enough to be shown exactly.
 */
bool bytes_shown(u64 bytes, char *buf);

#endif
