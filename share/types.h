/* SPDX-License-Identifier: Apache-2.0 */
/* The two integer names that the whole project uses. Any context. */
#ifndef ERTOOLS_SHARE_TYPES_H
#define ERTOOLS_SHARE_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

#define ER_LIKELY(x) __builtin_expect(!!(x), 1)
#define ER_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ER_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
