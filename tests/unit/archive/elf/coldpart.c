/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/coldpart.h"

#include <criterion/criterion.h>

/* hot, other, nameless: in .text; four parts: in .text.unlikely, here behind. */
static unsigned char code[0x200];
static struct codemap_part part = {.lo = 0x1000, .hi = 0x1200, .name = ".text",
                                   .bytes = {code, sizeof(code)}};
static struct codemap map = {&part, 1};
static struct fde fdes[] = {{0x1000, 0x1040, 0}, {0x1040, 0x1080, 0},
                            {0x1080, 0x10c0, 0}, {0x1100, 0x1120, 1},
                            {0x1120, 0x1140, 1}, {0x1140, 0x1160, 1},
                            {0x1160, 0x1180, 0}};
static struct fde_list list = {fdes, 7, 7};
static struct symbols s = {.code = &map};

static void
jump(u32 from, u32 to, bool condition)
{
    u32 size = condition ? 6 : 5;
    int32_t disp = (int32_t)(to - (from + size));

    if (condition)
        memcpy(code + from, "\x0f\x84", 2);
    else
        code[from] = 0xe9;
    memcpy(code + from + size - 4, &disp, 4);
}

static void
setup(void)
{
    struct symbol hot = {.addr = 0x1000, .size = 0x40, .name = "hot@@V1"};
    struct symbol other = {.addr = 0x1040, .size = 0x40, .name = "other"};

    memset(code, 0x90, sizeof(code));
    symbols_add(&s, &hot);
    symbols_add(&s, &other);
    symbols_settle(&s, &list);
    symbols_fill(&s, &list);
}

static const struct symbol *
named(u64 addr)
{
    const struct symbol *x;

    cr_assert_eq(coldpart_name(&s, &list), 0);
    x = symbols_find(&s, addr);
    cr_assert_not_null(x);
    return x;
}

static void
cleanup(void)
{
    symbols_free(&s);
}

TestSuite(coldpart, .init = setup, .fini = cleanup);

Test(coldpart, is_named_by_a_jump_to_its_start)
{
    jump(0x10, 0x100, true);
    cr_assert_str_eq(named(0x1100)->name, "hot@@V1");
    cr_assert(named(0x1100)->flags & SYMBOL_COLD);
    cr_assert_str_eq(named(0x1120)->name, "");
}

Test(coldpart, is_its_whose_jumps_are_the_most)
{
    jump(0x42, 0x100, false);
    jump(0x10, 0x104, true);
    jump(0x20, 0x108, false);
    jump(0x30, 0x10c, true);
    cr_assert_str_eq(named(0x1100)->name, "hot@@V1");
}

Test(coldpart, of_a_nameless_function_has_no_name)
{
    jump(0x80, 0x120, true);
    jump(0x90, 0x124, true);
    jump(0x50, 0x128, false); /* as if: the middle of another instruction */
    cr_assert_str_eq(named(0x1120)->name, "");
}

Test(coldpart, is_not_named_by_one_jump_into_it)
{
    jump(0x10, 0x148, true);
    cr_assert_str_eq(named(0x1140)->name, "");
}

Test(coldpart, is_no_function_that_others_jump_to)
{
    jump(0x10, 0x160, false);
    jump(0x20, 0x160, false);
    cr_assert_str_eq(named(0x1160)->name, "");
}
