/* SPDX-License-Identifier: Apache-2.0 */
/* Names of integers, and macros, that the whole project uses. Any context. */
#ifndef ERTOOLS_SHARE_TYPES_H
#define ERTOOLS_SHARE_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

#define ER_LIKELY(x) __builtin_expect(!!(x), 1)
#define ER_UNLIKELY(x) __builtin_expect(!!(x), 0)

/*
 * Prefetch the cache line of an address. GCC removes calls of a function that does
 * nothing else, as if it had no effect; the empty asm prevents that.
 */
#define ER_PREFETCH(address)             \
    do {                                 \
        __builtin_prefetch(address);     \
        __asm__ volatile("");            \
    } while (0)

/*
 * For a variable in the target that fills half a page or more, or needs a cache line of
 * its own. The linker places the variables with the largest alignment first; so all
 * small variables share one or two pages. Each page that is touched costs much in a
 * program that runs for half a millisecond.
 */
#define ER_LARGE __attribute__((aligned(64)))
#define ER_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
