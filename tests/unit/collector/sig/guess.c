/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/guess.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>

/* A stack of words that look like argc, argv and its end, without a return address. */
static u64 words[GUESS_SCAN_WORDS * 2];

static u64
at(u32 i)
{
    return (u64)(uintptr_t)&words[i];
}

static int
step_at(u32 i)
{
    struct mem m;
    u64 pc = (u64)(uintptr_t)words, sp = at(i), bp = 0;

    words[i] = 1;
    words[i + 1] = at(i + 6);
    words[i + 2] = 0;
    mem_init(&m, at(0), at(GUESS_SCAN_WORDS * 2));
    return guess_step(&m, 0, &pc, &sp, &bp);
}

Test(guess, words_like_those_at_the_entry_are_no_root)
{
    guess_entry = 0;
    cr_assert_eq(step_at(4), -ENOENT);
    guess_entry = at(2);
    cr_assert_eq(step_at(4), -ENOENT);
}

Test(guess, what_is_below_the_entry_and_has_no_caller_is_the_root)
{
    guess_entry = at(GUESS_SCAN_WORDS);
    cr_assert_eq(step_at(GUESS_SCAN_WORDS), -ENODATA);
    cr_assert_eq(step_at(GUESS_SCAN_WORDS - 1), -ENODATA);
    cr_assert_eq(step_at(GUESS_SCAN_WORDS - 50), -ENODATA);
    guess_entry = at(GUESS_SCAN_WORDS * 2 - 1);
    cr_assert_eq(step_at(0), -ENOENT);
}
