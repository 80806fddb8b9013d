/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/guess.h"
#include "collector/sig/objtab.h"
#include "share/ctl.h"

/*
 * Code as HotSpot makes it. At CALLER a call of METHOD; at METHOD one that touches the
 * stack, saves bp and has 32 bytes; at LEAF one that touches nothing; at ENTRY what the
 * interpreter returns to, where no call is.
 */
enum {
    CALLER = 0x100,
    METHOD = 0x400,
    LEAF = 0x800,
    ENTRY = 0x40,
    AFTER_CALL = CALLER + 5,
    BODY = 12, /* the length of METHOD's beginning */
    CODE = 0x2000,
};

static const unsigned char method[] = {
    0x89, 0x84, 0x24, 0x00, 0xc0, 0xfe, 0xff, /* mov %eax, -0x14000(%rsp) */
    0x55,                                     /* push %rbp */
    0x48, 0x83, 0xec, 0x20,                   /* sub $0x20, %rsp */
    0x90, 0x90, 0x90, 0x90,                   /* at BODY + 4: */
    0x48, 0x83, 0xc4, 0x20,                   /* add $0x20, %rsp */
    0x5d,                                     /* pop %rbp */
    0x49, 0x3b, 0xa7, 0x48, 0x03, 0x00, 0x00, /* cmp 0x348(%r15), %rsp */
    0x0f, 0x87, 0x20, 0x00, 0x00, 0x00,       /* ja */
    0xc3,
};

static const unsigned char leaf[] = {
    0x48, 0x81, 0xec, 0x18, 0x00, 0x00, 0x00, /* sub $0x18, %rsp */
    0x48, 0x89, 0x6c, 0x24, 0x10,             /* mov %rbp, 0x10(%rsp) */
    0x90, 0x90,
};

static u64 code, stack[64], words[2], pc, sp, bp;
static struct mem m;

static u64
at(const u64 *word)
{
    return (u64)(uintptr_t)word;
}

static void
setup(void)
{
    unsigned char *p = mmap(NULL, CODE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int32_t to = METHOD - AFTER_CALL;

    memset(p, 0x90, CODE);
    p[CALLER] = 0xe8;
    memcpy(p + CALLER + 1, &to, sizeof(to));
    memcpy(p + METHOD, method, sizeof(method));
    memcpy(p + LEAF, leaf, sizeof(leaf));
    code = at((const u64 *)p);
    words[0] = ctl_code_word(code, code + CODE);
    objtab_set_code(words, 2);
    mem_init(&m, at(stack), at(stack + 64));
    guess_java = 1;
}

/* A frame of METHOD or LEAF: the return address is the nth word of the stack. */
static int
step_from(u32 offset, u32 exact, u32 n, u64 ra, u64 saved)
{
    memset(stack, 0, sizeof(stack));
    stack[n] = ra;
    if (n)
        stack[n - 1] = saved;
    pc = code + offset;
    sp = at(stack);
    bp = 0x77;
    return guess_java_step(&m, exact, &pc, &sp, &bp);
}

static void
arrived(u32 n, u64 frame, const char *where)
{
    cr_assert_eq(pc, code + AFTER_CALL, "%s", where);
    cr_assert_eq(sp, at(stack + n + 1), "%s", where);
    cr_assert_eq(bp, frame, "%s", where);
}

TestSuite(guess_java, .init = setup);

Test(guess_java, a_method_that_calls)
{
    u64 ra = code + AFTER_CALL;

    cr_assert_eq(step_from(METHOD + BODY + 2, 0, 5, ra, 0x1234), 0);
    arrived(5, 0x1234, "body");
    cr_assert_eq(step_from(METHOD, 1, 0, ra, 0), 0);
    arrived(0, 0x77, "first instruction");
    cr_assert_eq(step_from(METHOD + 7, 1, 0, ra, 0), 0);
    arrived(0, 0x77, "before the push");
    cr_assert_eq(step_from(METHOD + 8, 1, 1, ra, 0x55), 0);
    arrived(1, 0x55, "behind the push");
    cr_assert_eq(step_from(METHOD + BODY, 1, 5, ra, 0x66), 0);
    arrived(5, 0x66, "body, interrupted");
    cr_assert_eq(step_from(METHOD + BODY + 8, 1, 1, ra, 0x55), 0);
    arrived(1, 0x55, "before the pop");
    cr_assert_eq(step_from(METHOD + BODY + 9, 1, 0, ra, 0), 0);
    arrived(0, 0x77, "behind the pop");
    cr_assert_eq(step_from(METHOD + sizeof(method) - 1, 1, 0, ra, 0), 0);
    arrived(0, 0x77, "at the return");
}

Test(guess_java, a_method_that_calls_nobody)
{
    u64 ra = code + AFTER_CALL;

    /* The call there says that it went elsewhere, which may be a stub's doing. */
    cr_assert_eq(step_from(LEAF, 1, 0, ra, 0), 0);
    arrived(0, 0x77, "first instruction");
    cr_assert_eq(step_from(LEAF + 7, 1, 3, ra, 0), 0);
    arrived(3, 0x77, "before bp is saved");
    cr_assert_eq(step_from(LEAF + 12, 1, 3, ra, 0x44), 0);
    arrived(3, 0x44, "body");
}

Test(guess_java, nothing_is_invented)
{
    u64 ra = code + AFTER_CALL;

    cr_assert_lt(step_from(METHOD + BODY + 2, 0, 4, ra, 0), 0, "another place");
    cr_assert_lt(step_from(METHOD + BODY + 2, 0, 5, code + CODE + 64, 0), 0, "no code");
    cr_assert_lt(step_from(METHOD + BODY + 2, 0, 5, code + ENTRY, 3), 0,
                 "no call, and bp is no frame");
    cr_assert_lt(step_from(ENTRY, 1, 0, ra, 0), 0, "no beginning, and bp is no frame");
    ((unsigned char *)(uintptr_t)code)[METHOD] = 0x90;
    cr_assert_lt(step_from(METHOD + BODY + 2, 0, 5, ra, 0), 0, "it has gone");
}

Test(guess_java, the_interpreter_makes_return_addresses)
{
    cr_assert_eq(step_from(METHOD + BODY + 2, 0, 5, code + ENTRY, at(stack + 20)), 0);
    cr_assert_eq(pc, code + ENTRY);
    cr_assert_eq(bp, at(stack + 20));
    /* Its own frame: what it keeps before bp is where the caller's stack ends. */
    stack[19] = at(stack + 26);
    stack[20] = at(stack + 30);
    stack[21] = code + AFTER_CALL;
    cr_assert_eq(guess_java_step(&m, 0, &pc, &sp, &bp), 0);
    cr_assert_eq(pc, code + AFTER_CALL);
    cr_assert_eq(sp, at(stack + 26));
    cr_assert_eq(bp, at(stack + 30));
}

Test(guess_java, frames_of_made_code_by_bp)
{
    guess_java = 0;
    guess_entry = 0;
    pc = code + LEAF;
    sp = at(stack);
    bp = at(stack + 4);
    stack[4] = at(stack + 8);
    stack[5] = code + ENTRY;
    cr_assert_eq(guess_step(&m, 0, &pc, &sp, &bp), 0, "into code, and bp goes on");
    cr_assert_eq(sp, at(stack + 6));
    pc = code + LEAF;
    sp = at(stack);
    bp = at(stack + 4);
    stack[4] = at(stack + 2);
    cr_assert_lt(guess_step(&m, 0, &pc, &sp, &bp), 0, "bp goes back");
    stack[5] = code + AFTER_CALL;
    cr_assert_eq(guess_step(&m, 0, &pc, &sp, &bp), 0, "behind a call");
    objtab_set_code(NULL, 0);
    pc = code + LEAF;
    sp = at(stack);
    bp = at(stack + 4);
    cr_assert_lt(guess_step(&m, 0, &pc, &sp, &bp), 0, "nobody knows that code");
}
