/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/array.h"

#include <criterion/criterion.h>
#include <errno.h>

Test(array, grows_and_keeps)
{
    u32 *a = NULL, room = 0;

    for (u32 i = 0; i < 1000; i++) {
        cr_assert_eq(array_room(&a, &room, i + 1, sizeof(*a)), 0);
        a[i] = i;
    }
    for (u32 i = 0; i < 1000; i++)
        cr_assert_eq(a[i], i);
    cr_assert(room >= 1000 && room < 4000);
    free(a);
}

Test(array, new_elements_are_zero)
{
    u64 *a = NULL;
    u32 room = 0;

    cr_assert_eq(array_room_zero(&a, &room, 3, sizeof(*a)), 0);
    for (u32 i = 0; i < room; i++)
        cr_assert_eq(a[i], 0);
    a[0] = 5;
    cr_assert_eq(array_room_zero(&a, &room, room + 1, sizeof(*a)), 0);
    cr_assert_eq(a[0], 5);
    cr_assert_eq(a[room - 1], 0);
    free(a);
}

Test(array, too_much_is_refused_and_harms_nothing)
{
    char *a = NULL;
    u32 room = 0;

    cr_assert_eq(array_room(&a, &room, 10, 1), 0);
    cr_assert_eq(array_room(&a, &room, UINT32_MAX, SIZE_MAX / 2), -ENOMEM);
    cr_assert_not_null(a);
    free(a);
}

Test(array, what_is_behind_a_removed_element_moves_up)
{
    u32 a[] = { 1, 2, 3, 4, 99 }, count = 4;

    array_remove(a, &count, 1, sizeof(*a));
    cr_assert_eq(count, 3);
    cr_assert_eq(a[0], 1);
    cr_assert_eq(a[1], 3);
    cr_assert_eq(a[2], 4);
    array_remove(a, &count, 2, sizeof(*a));
    array_remove(a, &count, 0, sizeof(*a));
    cr_assert_eq(count, 1);
    cr_assert_eq(a[0], 3);
    cr_assert_eq(a[4], 99);
}
