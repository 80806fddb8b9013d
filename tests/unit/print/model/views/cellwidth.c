/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "print/model/views/cellwidth.h"

Test(cellwidth, is_the_next_round_one)
{
    static const u64 pairs[][2] = {
        { 1, 1 },           { 2, 2 },           { 3, 4 },
        { 9, 10 },          { 10, 10 },         { 11, 16 },
        { 13000, 16000 },   { 1000001, 1250000 }, { 3690001, 4000000 },
        { 8000001, 10000000 }, { 60000000, 62500000 }, { 99999999999, 100000000000 },
    };

    for (u32 i = 0; i < ER_COUNT(pairs); i++)
        cr_assert_eq(cellwidth(pairs[i][0]), pairs[i][1], "%llu: %llu",
                     (unsigned long long)pairs[i][0],
                     (unsigned long long)cellwidth(pairs[i][0]));
}

Test(cellwidth, a_second_or_a_power_of_ten_is_a_number_of_them)
{
    for (u64 ns = 1; ns < 20000000000; ns += ns / 7 + 1) {
        u64 width = cellwidth(ns), whole = 1;

        while (whole < width)
            whole *= 10;
        while (whole % width && whole < (u64)1000 * width)
            whole *= 10;
        cr_assert_geq(width, ns);
        cr_assert_eq(whole % width, 0, "%llu", (unsigned long long)width);
    }
}
