/* SPDX-License-Identifier: Apache-2.0 */
#include "share/bytecode.h"

#include <criterion/criterion.h>
#include <string.h>

static u32
length(const char *code, u32 at, u32 size)
{
    return bytecode_length((const unsigned char *)code, at, size);
}

Test(bytecode, lengths)
{
    cr_assert_eq(length("\x2a", 0, 1), 1);                     /* aload_0 */
    cr_assert_eq(length("\xb6\0\1", 0, 3), 3);                 /* invokevirtual */
    cr_assert_eq(length("\xba\0\1\0\0", 0, 5), 5);             /* invokedynamic */
    cr_assert_eq(length("\xc4\x84\1\0\0\1", 0, 6), 6);         /* wide iinc */
    cr_assert_eq(length("\xc4\x15\1\0", 0, 4), 4);             /* wide iload */
    cr_assert_eq(bytecodes[BYTECODE_GETFIELD].operands, BYTECODE_FIELD);
    cr_assert_str_eq(bytecodes[BYTECODE_COUNT - 1].name, "jsr_w");
}

Test(bytecode, switches_are_padded)
{
    static const char table[] = "\0\xaa\0\0" "\0\0\0\x20" "\0\0\0\1" "\0\0\0\2"
                                "\0\0\0\x21" "\0\0\0\x22";
    static const char lookup[] = "\xab\0\0\0" "\0\0\0\x20" "\0\0\0\1"
                                 "\0\0\0\7" "\0\0\0\x21";

    cr_assert_eq(length(table, 1, sizeof(table) - 1), 23);
    cr_assert_eq(length(table, 1, sizeof(table) - 2), 0);
    cr_assert_eq(length(lookup, 0, sizeof(lookup) - 1), 20);
    cr_assert_eq(length(lookup, 0, 12), 0);
}

Test(bytecode, damaged_code_has_no_length)
{
    static const char backwards[] = "\xaa\0\0\0" "\0\0\0\x20" "\0\0\0\2" "\0\0\0\1";
    static const char endless[] = "\xaa\0\0\0" "\0\0\0\x20" "\x80\0\0\0"
                                  "\x7f\xff\xff\xff";

    cr_assert_eq(length("\xca", 0, 1), 0); /* the machine's own */
    cr_assert_eq(length("\xb6\0", 0, 2), 0);
    cr_assert_eq(length("\xc4", 0, 1), 0);
    cr_assert_eq(length("\x2a", 1, 1), 0);
    cr_assert_eq(length(backwards, 0, sizeof(backwards) - 1), 0);
    cr_assert_eq(length(endless, 0, sizeof(endless) - 1), 0);
}

Test(bytecode, the_constant_that_is_used)
{
    static const unsigned char load[] = { BYTECODE_LDC, 9 };
    static const unsigned char call[] = { BYTECODE_INVOKEVIRTUAL, 1, 2 };
    static const unsigned char local[] = { BYTECODE_ILOAD, 3 };

    cr_assert_eq(bytecode_constant(load, 0), 9);
    cr_assert_eq(bytecode_constant(call, 0), 0x102);
    cr_assert_eq(bytecode_constant(local, 0), 0);
}
