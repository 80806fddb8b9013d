/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow. Any context that may allocate. */
#ifndef ERTOOLS_PRINT_BASE_ARRAY_H
#define ERTOOLS_PRINT_BASE_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

#include "share/types.h"

/*
 * Make room for `need` elements of `size` bytes. `array`: the address of the pointer to
 * the array, which the caller frees by free(); *room: for how many elements memory is
 * allocated. 0 or -ENOMEM; in either case the array keeps its elements.
 */
int array_room(void *array, u32 *room, u32 need, size_t size);

/* Like array_room(), but clear the memory that is added. */
int array_room_zero(void *array, u32 *room, u32 need, size_t size);

/*
 * The index of the first of `count` elements for which is_before(element, key) is
 * false; `count` if there is none. is_before() must be true for all elements before it
 * and false for all after it.
 */
static inline u32
array_first(const void *elements, u32 count, size_t size,
            bool (*is_before)(const void *element, const void *key), const void *key)
{
    u32 lo = 0, hi = count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (is_before((const char *)elements + mid * size, key))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The index of the first of `count` rising numbers above `number`; `count` if none. */
static inline u32
array_above(const u64 *numbers, u32 count, u64 number)
{
    u32 lo = 0, hi = count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (numbers[mid] <= number)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*
 * Remove element `at` from *count elements of `size` bytes; those after it move down by
 * one.
 */
void array_remove(void *elements, u32 *count, u32 at, size_t size);

#endif
