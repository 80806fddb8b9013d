/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "collector/sig/insn.h"

#define AT 0x1000

/* The instruction that these bytes begin with; behind them are others. */
static struct insn
read_one(const char *text, u32 len)
{
    unsigned char bytes[2 * INSN_BYTES];
    struct insn insn;

    memset(bytes, 0xcc, sizeof(bytes));
    memcpy(bytes, text, len);
    insn_read(bytes, AT, &insn);
    return insn;
}

struct sample {
    const char *bytes;
    u32 len;
    enum insn_kind kind;
    int64_t value;
};

#define SAMPLE(bytes, kind, value) { bytes, sizeof(bytes) - 1, kind, value }

static void
check(const struct sample *s, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        struct insn insn = read_one(s[i].bytes, s[i].len);

        cr_assert_eq(insn.len, s[i].len, "%u: %u", i, insn.len);
        cr_assert_eq(insn.kind, s[i].kind, "%u: %u", i, insn.kind);
        cr_assert_eq(insn.value, s[i].value, "%u: %ld", i, (long)insn.value);
    }
}

Test(insn, what_it_does_to_the_stack)
{
    static const struct sample samples[] = {
        SAMPLE("\x53", INSN_ADD_SP, -8),
        SAMPLE("\x41\x57", INSN_ADD_SP, -8),
        SAMPLE("\x41\x55", INSN_ADD_SP, -8), /* r13 */
        SAMPLE("\x55", INSN_PUSH_BP, -8),
        SAMPLE("\x5d", INSN_POP_BP, 8),
        SAMPLE("\x41\x5d", INSN_POP, 8),
        SAMPLE("\x5c", INSN_LOSE_SP, 8),
        SAMPLE("\x6a\x05", INSN_ADD_SP, -8),
        SAMPLE("\x68\x01\x02\x03\x04", INSN_ADD_SP, -8),
        SAMPLE("\xff\x72\x08", INSN_ADD_SP, -8),
        SAMPLE("\x48\x83\xec\x18", INSN_ADD_SP, -0x18),
        SAMPLE("\x48\x83\xc4\x18", INSN_ADD_SP, 0x18),
        SAMPLE("\x48\x83\xc4\x80", INSN_ADD_SP, -128),
        SAMPLE("\x48\x81\xec\x00\x10\x00\x00", INSN_ADD_SP, -0x1000),
        SAMPLE("\x48\x83\xfc\x18", INSN_OTHER, 0), /* only compares */
        SAMPLE("\x49\x83\xc4\x18", INSN_OTHER, 0), /* r12 */
        SAMPLE("\x48\x83\xe4\xe0", INSN_LOSE_SP, 0),
        SAMPLE("\x48\x29\xc4", INSN_LOSE_SP, 0),
        SAMPLE("\x48\x8d\x64\x24\xf8", INSN_ADD_SP, -8),
        SAMPLE("\x48\x8d\x65\xe8", INSN_BP_TO_SP, -0x18),
        SAMPLE("\x48\x8d\xa5\x00\xff\xff\xff", INSN_BP_TO_SP, -0x100),
        SAMPLE("\x49\x8d\x62\xf8", INSN_REG_TO_SP, -8),
        SAMPLE("\x4c\x8b\x55\xf8", INSN_LOAD, -8),
        SAMPLE("\x48\x89\xe5", INSN_SP_TO_BP, 0),
        SAMPLE("\x48\x8b\xec", INSN_SP_TO_BP, 0),
        SAMPLE("\x48\x89\xec", INSN_BP_TO_SP, 0),
        SAMPLE("\x4c\x89\xd4", INSN_LOSE_SP, 0),
        SAMPLE("\x49\x89\xe2", INSN_OTHER, 0), /* r10 = rsp */
        SAMPLE("\x48\x89\x04\x24", INSN_OTHER, 0),
        SAMPLE("\xc9", INSN_LEAVE, 0),
    };

    check(samples, ER_COUNT(samples));
    cr_assert_eq(read_one("\x41\x5a", 2).reg, 10u);
    cr_assert_eq(read_one("\x49\x8d\x62\xf8", 4).reg, 10u);
    cr_assert_eq(read_one("\x4c\x8b\x55\xf8", 4).reg, 10u);
}

Test(insn, where_it_goes)
{
    static const struct sample samples[] = {
        SAMPLE("\xc3", INSN_RETURN, 0),
        SAMPLE("\xf3\xc3", INSN_RETURN, 0),
        SAMPLE("\xf2\xc3", INSN_RETURN, 0),
        SAMPLE("\xc2\x08\x00", INSN_RETURN, 0),
        SAMPLE("\xe8\x00\x01\x00\x00", INSN_CALL, 0),
        SAMPLE("\xff\xd0", INSN_CALL, 0),
        SAMPLE("\x41\xff\x54\xc5\x10", INSN_CALL, 0),
        SAMPLE("\xeb\xfe", INSN_JUMP, AT),
        SAMPLE("\xe9\x00\x01\x00\x00", INSN_JUMP, AT + 0x105),
        SAMPLE("\x75\x10", INSN_BRANCH, AT + 0x12),
        SAMPLE("\x0f\x84\x00\xff\xff\xff", INSN_BRANCH, AT - 0xfa),
        SAMPLE("\xff\xe0", INSN_LEAP, 0),
        SAMPLE("\x3e\xff\xe0", INSN_LEAP, 0),
        SAMPLE("\xff\x24\xc1", INSN_LEAP, 0),
        SAMPLE("\xf2\xff\x25\x00\x10\x00\x00", INSN_LINK, 0),
        SAMPLE("\xf3\x0f\x1e\xfa", INSN_ENTRY, 0),
        SAMPLE("\x0f\x0b", INSN_END, 0),
        SAMPLE("\xcc", INSN_END, 0),
        SAMPLE("\xf4", INSN_END, 0),
        SAMPLE("\x0f\x05", INSN_OTHER, 0),
    };

    check(samples, ER_COUNT(samples));
}

Test(insn, how_long_it_is)
{
    static const struct sample samples[] = {
        SAMPLE("\x90", INSN_OTHER, 0),
        SAMPLE("\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", INSN_OTHER, 0),
        SAMPLE("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08", INSN_OTHER, 0),
        SAMPLE("\xb8\x01\x02\x03\x04", INSN_OTHER, 0),
        SAMPLE("\x66\xb8\x01\x02", INSN_OTHER, 0),
        SAMPLE("\xf6\x40\x08\x01", INSN_OTHER, 0),
        SAMPLE("\xf6\x50\x08", INSN_OTHER, 0),
        SAMPLE("\xf7\xc1\x01\x02\x03\x04", INSN_OTHER, 0),
        SAMPLE("\x64\x48\x8b\x04\x25\x28\x00\x00\x00", INSN_OTHER, 0),
        SAMPLE("\x8b\x05\x01\x02\x03\x04", INSN_OTHER, 0),
        SAMPLE("\x66\x0f\x3a\x0f\xc1\x08", INSN_OTHER, 0),
        SAMPLE("\x66\x0f\x38\x00\xc1", INSN_OTHER, 0),
        SAMPLE("\xc5\xf8\x77", INSN_OTHER, 0),
        SAMPLE("\xc5\xfd\x6f\x04\x24", INSN_OTHER, 0),
        SAMPLE("\xc4\xe3\x7d\x39\xc1\x01", INSN_OTHER, 0),
        SAMPLE("\x62\xf1\xfe\x48\x6f\x44\x24\x01", INSN_OTHER, 0),
        SAMPLE("\x62\xf3\xf5\x48\x03\xc2\x02", INSN_OTHER, 0),
        SAMPLE("\xf0\x48\x0f\xb1\x0f", INSN_OTHER, 0),
    };

    check(samples, ER_COUNT(samples));
}

/* Whatever the bytes are: it has a length, and none beyond what was given. */
Test(insn, any_bytes)
{
    u64 state = 1;

    for (u32 i = 0; i < 300000; i++) {
        unsigned char bytes[INSN_BYTES];
        struct insn insn;

        for (u32 k = 0; k < INSN_BYTES; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            bytes[k] = (unsigned char)(state >> 40);
        }
        insn_read(bytes, AT, &insn);
        cr_assert(insn.len >= 1 && insn.len < INSN_BYTES);
    }
}
