/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/align.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };

/* Words of letters; the pairs as "b's letters, or - where there is none". */
static const char *
aligned(const char *a, const char *b)
{
    static char text[LONGEST + 1];
    u64 left[LONGEST], right[LONGEST];
    u32 na = (u32)strlen(a), nb = (u32)strlen(b), match[LONGEST], last = 0;

    for (u32 i = 0; i < na; i++)
        left[i] = (u64)a[i];
    for (u32 i = 0; i < nb; i++)
        right[i] = (u64)b[i];
    cr_assert_eq(align(left, na, right, nb, match), 0);
    for (u32 i = 0; i < nb; i++) {
        text[i] = match[i] == ALIGN_NONE ? '-' : a[match[i]];
        if (match[i] == ALIGN_NONE)
            continue;
        cr_assert(match[i] < na && a[match[i]] == b[i]);
        cr_assert(!last || match[i] >= last, "pairs do not cross");
        last = match[i] + 1;
    }
    text[nb] = '\0';
    return text;
}

Test(align, pairs)
{
    cr_assert_str_eq(aligned("abcd", "abcd"), "abcd");
    cr_assert_str_eq(aligned("abcd", "abxcd"), "ab-cd");
    cr_assert_str_eq(aligned("abxcd", "abcd"), "abcd");
    cr_assert_str_eq(aligned("", "ab"), "--");
    cr_assert_str_eq(aligned("ab", ""), "");
    cr_assert_str_eq(aligned("aaaa", "aa"), "aa");
    cr_assert_str_eq(aligned("xabcy", "zabcz"), "-abc-");
}

static u32
longest(const u64 *a, u32 na, const u64 *b, u32 nb)
{
    u32 skip, other;

    if (!na || !nb)
        return 0;
    if (*a == *b)
        return 1 + longest(a + 1, na - 1, b + 1, nb - 1);
    skip = longest(a + 1, na - 1, b, nb);
    other = longest(a, na, b + 1, nb - 1);
    return skip > other ? skip : other;
}

Test(align, as_many_as_can_be)
{
    u64 a[9], b[9];
    u32 match[9];

    srandom(7);
    for (int round = 0; round < 2000; round++) {
        u32 na = (u32)random() % 10, nb = (u32)random() % 10, pairs = 0;

        for (u32 i = 0; i < na; i++)
            a[i] = (u64)random() % 4;
        for (u32 i = 0; i < nb; i++)
            b[i] = (u64)random() % 4;
        cr_assert_eq(align(a, na, b, nb, match), 0);
        for (u32 i = 0; i < nb; i++)
            pairs += match[i] != ALIGN_NONE;
        cr_assert_eq(pairs, longest(a, na, b, nb));
    }
}

Test(align, what_is_too_long_keeps_its_ends)
{
    enum { N = 5000 };
    u64 *a = calloc(2 * N, sizeof(*a)), *b = a + N;
    u32 *match = calloc(N, sizeof(*match));

    for (u32 i = 1; i + 1 < N; i++) {
        a[i] = 2 * i;
        b[i] = 2 * i + 1;
    }
    a[2] = b[3];
    cr_assert_eq(align(a, N, b, N, match), 0);
    cr_assert_eq(match[0], 0);
    cr_assert_eq(match[N - 1], N - 1);
    cr_assert_eq(match[3], ALIGN_NONE);
    free(a);
    free(match);
}
