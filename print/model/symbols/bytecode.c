/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/bytecode.h"

#include <stdarg.h>
#include <stdio.h>

#include "share/bytecode.h"

struct text {
    char *at;
    size_t left; /* bytes, with the final zero */
};

__attribute__((format(printf, 2, 3))) static void
put(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->at, t->left, format, args);
    va_end(args);
    if (n < 0)
        return;
    if ((size_t)n >= t->left)
        n = (int)t->left - 1;
    t->at += n;
    t->left -= (size_t)n;
}

static void
put_constant(struct text *t, const struct bytecode_method *m, u32 index)
{
    put(t, " #%u", index);
    for (u32 i = 0; i < m->nconstants; i++)
        if (m->constant[i].index == index) {
            put(t, " %.*s", (int)m->constant[i].text.len, m->constant[i].text.s);
            return;
        }
}

static void
put_type(struct text *t, u32 type)
{
    enum { FIRST = 4 };
    static const char *const names[] = { "boolean", "char",  "float", "double",
                                         "byte",    "short", "int",   "long" };

    if (type - FIRST < ER_COUNT(names))
        put(t, " %s", names[type - FIRST]);
    else
        put(t, " %u", type);
}

/* Write the index of the instruction that is `distance` bytes from `at`. */
static void
put_target(struct text *t, u32 at, int distance)
{
    put(t, " %lld", (long long)at + distance);
}

/* Write the operands of tableswitch or lookupswitch, as { value: target ... }. */
static void
put_switch(struct text *t, const struct bytecode_method *m, u32 at, bool is_table)
{
    const unsigned char *p = m->code + (at & ~3u) + 4;
    u32 low = bytecode_u32(p + 4), count = low, each = is_table ? 4 : 8;
    const unsigned char *row = p + (is_table ? 12 : 8);

    if (is_table)
        count = bytecode_u32(p + 8) - low + 1;
    put(t, " {");
    for (u32 i = 0; i < count && t->left > 1; i++, row += each) {
        u32 value = is_table ? low + i : bytecode_u32(row);

        put(t, " %d:", (int)value);
        put_target(t, at, (int)bytecode_u32(row + each - 4));
    }
    put(t, " default:");
    put_target(t, at, (int)bytecode_u32(p));
    put(t, " }");
}

static void
put_wide(struct text *t, const unsigned char *p)
{
    if (p[1] < BYTECODE_COUNT)
        put(t, " %s", bytecodes[p[1]].name);
    put(t, " %u", bytecode_u16(p + 2));
    if (p[1] == BYTECODE_IINC)
        put(t, " %d", (int16_t)bytecode_u16(p + 4));
}

static void
put_operands(struct text *t, const struct bytecode_method *m, u32 at)
{
    const unsigned char *p = m->code + at;

    switch ((enum bytecode_operands)bytecodes[*p].operands) {
    case BYTECODE_NONE:
        break;
    case BYTECODE_BYTE:
        put(t, " %d", (signed char)p[1]);
        break;
    case BYTECODE_SHORT:
        put(t, " %d", (int16_t)bytecode_u16(p + 1));
        break;
    case BYTECODE_LOCAL:
        put(t, " %u", p[1]);
        break;
    case BYTECODE_INCREMENT:
        put(t, " %u %d", p[1], (signed char)p[2]);
        break;
    case BYTECODE_JUMP:
        put_target(t, at, (int16_t)bytecode_u16(p + 1));
        break;
    case BYTECODE_LONG_JUMP:
        put_target(t, at, (int)bytecode_u32(p + 1));
        break;
    case BYTECODE_CONSTANT:
    case BYTECODE_LONG_CONSTANT:
    case BYTECODE_CLASS:
    case BYTECODE_FIELD:
    case BYTECODE_METHOD:
    case BYTECODE_INTERFACE:
    case BYTECODE_DYNAMIC:
        put_constant(t, m, bytecode_constant(m->code, at));
        break;
    case BYTECODE_DIMENSIONS:
        put_constant(t, m, bytecode_constant(m->code, at));
        put(t, " dimensions %u", p[3]);
        break;
    case BYTECODE_TYPE:
        put_type(t, p[1]);
        break;
    case BYTECODE_TABLE:
    case BYTECODE_LOOKUP:
        put_switch(t, m, at, *p == BYTECODE_TABLESWITCH);
        break;
    case BYTECODE_WIDE:
        put_wide(t, p);
        break;
    }
}

u32
bytecode_text(const struct bytecode_method *m, u32 at, char *text, size_t size)
{
    struct text t = { text, size };
    u32 length = bytecode_length(m->code, at, m->size);

    if (!length)
        return 0;
    put(&t, "%u: %s", at, bytecodes[m->code[at]].name);
    put_operands(&t, m, at);
    return length;
}
