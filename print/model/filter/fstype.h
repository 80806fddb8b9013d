/* SPDX-License-Identifier: Apache-2.0 */
/* Names of file systems. Any context: constant tables. */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FSTYPE_H
#define ERTOOLS_PRINT_MODEL_FILTER_FSTYPE_H

#include <stddef.h>

#include "share/types.h"

/*
 * The name of a file system by statfs(2)'s f_type; "" for 0. The name of an unknown
 * type is its number in hexadecimal, in `buf`.
 */
const char *fstype_name(u64 fstype, char *buf, size_t size);

#endif
