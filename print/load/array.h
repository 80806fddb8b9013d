/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow. Any context that may allocate. */
#ifndef ERTOOLS_PRINT_LOAD_ARRAY_H
#define ERTOOLS_PRINT_LOAD_ARRAY_H

#include <stdlib.h>

#include "share/types.h"

/*
 * Make room for `need` elements of `size` bytes; `array` is the address of the pointer,
 * *room how many fit now. 0 or -ENOMEM; the array is whole in either case.
 */
int array_room(void *array, u32 *room, u32 need, size_t size);

/* The same, and what is new becomes zero. */
int array_room_zero(void *array, u32 *room, u32 need, size_t size);

/* Take element `at` out of *count elements of `size` bytes; those behind it move up. */
void array_remove(void *elements, u32 *count, u32 at, size_t size);

#endif
