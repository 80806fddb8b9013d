/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A number of bytes as people read it. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_BYTES_H
#define ERTOOLS_PRINT_EXPORT_BYTES_H

#include <stdbool.h>

#include "share/types.h"

enum { BYTES_MAX = 32 }; /* bytes that it takes at most, with its final zero */

/*
 * "24.1 MiB" for a MiB and more; buf has BYTES_MAX bytes. False for less, which is
 * short enough to be shown exactly.
 */
bool bytes_shown(u64 bytes, char *buf);

#endif
