/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/object/cursor.h"

#include <criterion/criterion.h>

static struct cursor
over(const void *data, size_t size, bool big)
{
    return cursor_at((struct bytes){data, size}, 0, big);
}

Test(cursor, byte_orders)
{
    static const unsigned char data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct cursor c = over(data, 9, false);

    cr_assert_eq(cursor_u64(&c), 0x0807060504030201);
    cr_assert_eq(cursor_u8(&c), 9);
    cr_assert_not(c.bad);
    c = over(data, 9, true);
    cr_assert_eq(cursor_u16(&c), 0x0102);
    cr_assert_eq(cursor_u24(&c), 0x030405);
    cr_assert_eq(cursor_u32(&c), 0x06070809);
    cr_assert_not(c.bad);
}

Test(cursor, numbers_of_variable_length)
{
    static const unsigned char data[] = {0xe5, 0x8e, 0x26, 0x7f, 0x80, 0x7f, 0x3f};
    struct cursor c = over(data, sizeof(data), false);

    cr_assert_eq(cursor_uleb(&c), 624485);
    cr_assert_eq(cursor_sleb(&c), -1);
    cr_assert_eq(cursor_sleb(&c), -128);
    cr_assert_eq(cursor_sleb(&c), 63);
    cr_assert_not(c.bad);
}

Test(cursor, never_leaves_its_range)
{
    static const unsigned char data[] = {0xff, 0xff, 0xff};
    struct cursor c = over(data, 3, false);

    cr_assert_eq(cursor_u32(&c), 0);
    cr_assert(c.bad);
    cr_assert_eq(c.at, c.end);
    c = over(data, 3, false);
    cursor_uleb(&c); /* never ends */
    cr_assert(c.bad);
    c = over(data, 3, false);
    cr_assert_str_eq(cursor_string(&c), ""); /* no zero */
    cr_assert(c.bad);
    c = over(data, 3, false);
    cursor_skip(&c, UINT64_MAX);
    cr_assert(c.bad);
    c = cursor_at((struct bytes){data, 3}, 4, false);
    cr_assert(c.bad);
}

Test(cursor, strings_of_a_section)
{
    struct bytes b = {(const unsigned char *)"\0ab\0cd", 6};

    cr_assert_str_eq(bytes_string(b, 1), "ab");
    cr_assert_str_eq(bytes_string(b, 4), ""); /* has no end */
    cr_assert_str_eq(bytes_string(b, 99), "");
}
