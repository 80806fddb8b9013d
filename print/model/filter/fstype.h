/* SPDX-License-Identifier: Apache-2.0 */
/* Names of file systems. Any context: constant tables. */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FSTYPE_H
#define ERTOOLS_PRINT_MODEL_FILTER_FSTYPE_H

#include <stddef.h>

#include "share/types.h"

/* Of statfs(2)'s f_type; "" for 0; an unknown one in hexadecimal, in `buf`. */
const char *fstype_name(u64 fstype, char *buf, size_t size);

#endif
