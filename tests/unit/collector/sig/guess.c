/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/guess.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>

#include "collector/sig/loaded.h"
#include "collector/sig/rule.h"

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

/* A function with a frame pointer, and what calls it. */
__asm__(".text\n"
        "guess_framed:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    sub $64, %rsp\n"
        "    call *%rdi\n"
        "    leave\n"
        "    ret\n"
        "guess_caller:\n"
        "    call guess_framed\n"
        "guess_called:\n"
        "    ret\n");
extern const char guess_framed[], guess_caller[], guess_called[];

/* The rule at `offset`, with sp `below` words below the return address. */
static u64
rule_at(u32 offset, u32 below)
{
    static u64 stack[64];
    struct objtab_object o = {
        .lo = (u64)(uintptr_t)guess_framed,
        .hi = (u64)(uintptr_t)guess_called + 1,
    };
    struct mem m;

    cr_assert_eq(loaded_add(&o), 0);
    stack[32] = (u64)(uintptr_t)guess_called;
    mem_init(&m, (u64)(uintptr_t)stack, (u64)(uintptr_t)(stack + 64));
    return guess_ahead(&m, 1, o.lo + offset, (u64)(uintptr_t)&stack[32 - below],
                       (u64)(uintptr_t)&stack[31]);
}

Test(guess, a_function_that_has_not_pushed_bp_yet_has_its_callers)
{
    cr_expect_eq(rule_at(0, 0), rule_pack(RULE_SP, RULE_BP_SAME, 0, 0, 8));
    cr_expect_eq(rule_at(1, 1), rule_pack(RULE_SP, RULE_BP_AT_CFA, 0, -16, 16));
    cr_expect_eq(rule_at(4, 1), rule_pack(RULE_BP, RULE_BP_AT_CFA, 0, -16, 16));
}
