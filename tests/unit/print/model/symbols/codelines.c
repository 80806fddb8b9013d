/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/codelines.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct recorded_code code;

static void
make(u32 table, u32 line, const unsigned char *bytes, u32 size)
{
    code = (struct recorded_code){ .line = line, .table = table, .size = size };
    code.lines = malloc(size + 1);
    memcpy(code.lines, bytes, size);
}

#define MAKE(table, line, ...)                              \
    do {                                                    \
        static const unsigned char bytes_[] = { __VA_ARGS__ }; \
        make(table, line, bytes_, sizeof(bytes_));          \
    } while (0)

static void
is(u32 index, u32 line)
{
    cr_assert_eq(codelines_of(&code, index), line, "index %u: line %u, not %u", index,
                 codelines_of(&code, index), line);
}

/* All that a table says, cut at each length: nothing is read behind its end. */
static void
cut(void)
{
    for (u32 size = 0; size <= code.size; size++) {
        struct recorded_code shorter = code;

        shorter.size = size;
        shorter.lines = malloc(size ? size : 1);
        memcpy(shorter.lines, code.lines, size);
        for (u32 index = 0; index < 64; index++)
            cr_assert_lt(codelines_of(&shorter, index), 1u << 30);
        free(shorter.lines);
    }
}

Test(codelines, lnotab)
{
    /* 0: 11, from 4: 13, from 10: 12, from 12: 12 + 127 + 100 */
    MAKE(CODE_LNOTAB, 10, 0, 1, 4, 2, 6, 255, 2, 127, 0, 100);
    is(0, 11);
    is(1, 11);
    is(2, 13);
    is(4, 13);
    is(5, 12);
    is(6, 239);
    is(1000, 239);
    cut();
}

Test(codelines, linetable)
{
    MAKE(CODE_LINETABLE, 10, 4, 1, 2, 128, 6, 255, 4, 127);
    is(0, 11);
    is(1, 11);
    is(2, 10); /* of no line: the first one stands for it */
    is(3, 10);
    is(5, 10);
    is(6, 137);
    is(8, 10); /* behind the end */
    cut();
}

Test(codelines, locations)
{
    MAKE(CODE_LOCATIONS, 20,
         0x80 | 10 << 3 | 1, 4, 8,                /* [0, 2): 20, with columns */
         0x80 | 13 << 3 | 0, 0x06,                /* [2, 3): 23 */
         0x80 | 14 << 3 | 0, 0x05, 0x41, 1, 2, 3, /* [3, 4): 21 */
         0x80 | 15 << 3 | 2,                      /* [4, 7): none */
         0x80 | 13 << 3 | 7, 0x48, 0x03,          /* [7, 15): 121 */
         0x80 | 5 << 3 | 0, 0x33,                 /* [15, 16): the same line */
         0x80 | 12 << 3 | 0, 1, 2);               /* [16, 17): 123 */
    is(0, 20);
    is(1, 20);
    is(2, 23);
    is(3, 21);
    is(4, 20);
    is(6, 20);
    is(7, 121);
    is(14, 121);
    is(15, 121);
    is(16, 123);
    is(17, 20);
    cut();
}

Test(codelines, none)
{
    MAKE(CODE_NO_LINES, 42, 1, 2, 3);
    is(0, 42);
    code.table = 99;
    is(7, 42);
}
