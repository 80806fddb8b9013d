/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/symbols.h"

#include <criterion/criterion.h>

static unsigned char code[0x100];
static struct codemap_part part = {.lo = 0x1000, .hi = 0x1100, .name = ".text",
                                   .bytes = {code, sizeof(code)}};
static struct codemap map = {&part, 1};
static struct fde fdes[] = {{0x1000, 0x1010, 0}, {0x1040, 0x1060, 0},
                            {0x1080, 0x10a0, 0}};
static struct fde_list list = {fdes, 3, 3};
static struct symbols s = {.code = &map};

static void
add(u64 addr, u64 size, const char *name, enum objfile_binding binding, u32 flags)
{
    struct symbol x = {.addr = addr, .size = size, .name = name, .binding = binding,
                       .flags = flags, .origin = OBJFILE_ORIGIN_SYMTAB};

    symbols_add(&s, &x);
}

static const struct symbol *
at(u64 addr)
{
    const struct symbol *x = symbols_find(&s, addr);

    cr_assert_not_null(x);
    return x;
}

static void
cleanup(void)
{
    symbols_free(&s);
}

TestSuite(symbols, .fini = cleanup);

Test(symbols, chooses_one_of_the_aliases)
{
    add(0x1000, 8, "__libc_write", OBJFILE_GLOBAL, 0);
    add(0x1000, 8, "write", OBJFILE_WEAK, 0);
    add(0x1000, 8, "w", OBJFILE_LOCAL, 0);
    add(0x1000, 0, "a", OBJFILE_GLOBAL, SYMBOL_LABEL);
    add(0x1020, 8, "bb", OBJFILE_GLOBAL, 0);
    add(0x1020, 8, "ba", OBJFILE_GLOBAL, 0);
    add(0x1020, 8, "a", OBJFILE_WEAK, 0);
    add(0x2000, 8, "outside", OBJFILE_GLOBAL, 0);
    symbols_settle(&s, &list);
    cr_assert_eq(s.count, 2);
    cr_assert_str_eq(at(0x1000)->name, "write");
    cr_assert_str_eq(at(0x1020)->name, "ba");
}

Test(symbols, extends_what_has_no_size)
{
    add(0x1000, 0, "fde", OBJFILE_GLOBAL, 0);
    add(0x1020, 0, "next", OBJFILE_GLOBAL, SYMBOL_LABEL);
    add(0x1030, 8, "sized", OBJFILE_GLOBAL, 0);
    add(0x10f0, 0, "last", OBJFILE_GLOBAL, 0);
    add(0x1032, 0, "mark_within", OBJFILE_LOCAL, SYMBOL_LABEL);
    symbols_settle(&s, &list);
    cr_assert_eq(s.count, 4);
    cr_assert_eq(at(0x1000)->size, 0x10);
    cr_assert_eq(at(0x1020)->size, 0x10);
    cr_assert_eq(at(0x10f0)->size, 0x10);
}

Test(symbols, fills_with_what_has_no_name)
{
    memset(code, 0x90, sizeof(code));
    code[0xc0] = 0xe8;
    add(0x1000, 0x20, "named", OBJFILE_GLOBAL, 0);
    symbols_settle(&s, &list);
    symbols_fill(&s, &list);
    cr_assert_eq(at(0x1040)->origin, OBJFILE_ORIGIN_FDE);
    cr_assert_eq(at(0x1040)->size, 0x20);
    cr_assert_str_eq(at(0x1040)->name, "");
    cr_assert_null(symbols_find(&s, 0x1020), "only padding");
    cr_assert_null(symbols_find(&s, 0x1060), "only padding");
    cr_assert_eq(at(0x10a0)->origin, OBJFILE_ORIGIN_SECTION);
    cr_assert_eq(s.count, 4);
}

Test(symbols, marks_what_lies_within_another)
{
    add(0x1000, 0x40, "outer", OBJFILE_GLOBAL, 0);
    add(0x1010, 0x08, "entry", OBJFILE_GLOBAL, 0);
    symbols_settle(&s, &list);
    cr_assert_not(at(0x1000)->flags & SYMBOL_NESTED);
    cr_assert(at(0x1010)->flags & SYMBOL_NESTED);
    cr_assert(symbols_cover(&s, 0x1030));
    cr_assert_not(symbols_cover(&s, 0x1040));
}
