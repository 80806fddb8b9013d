/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hotspot_bytecode.h"

#include <errno.h>
#include <string.h>

#include "collector/sig/hotspot.h"
#include "collector/sig/hotspot_name.h"
#include "collector/sig/sink.h"
#include "share/bytecode.h"

enum {
    CODE_BYTES = 1 << 16, /* no method is longer */
    TEXT_BYTES = 120,     /* the rest of a string constant is left out */
    PROBES = 256,         /* maximum number of pages probed for the names of a method */
    FIRST = 203,          /* the machine's first opcode that stands for another */
    FAST_LDC = 230,
    FAST_LDC_W = 231,
};

/* Kinds of constants. */
enum {
    CONSTANT_INTEGER = 3,
    CONSTANT_LONG = 5,
    CONSTANT_CLASS = 7,
    CONSTANT_STRING = 8,
    CONSTANT_FIELD = 9,
    CONSTANT_METHOD = 10,
    CONSTANT_INTERFACE_METHOD = 11,
    CONSTANT_DYNAMIC = 17,
    CONSTANT_CALL_SITE = 18,
    CONSTANT_CLASS_UNRESOLVED = 100,
    CONSTANT_CLASS_IN_ERROR = 103,
};

/* The opcodes of class files for those of the machine, from FIRST on. */
static const unsigned char plain[] = {
    /* getfield by type */
    BYTECODE_GETFIELD, BYTECODE_GETFIELD, BYTECODE_GETFIELD, BYTECODE_GETFIELD,
    BYTECODE_GETFIELD, BYTECODE_GETFIELD, BYTECODE_GETFIELD, BYTECODE_GETFIELD,
    /* putfield by type */
    BYTECODE_PUTFIELD, BYTECODE_PUTFIELD, BYTECODE_PUTFIELD, BYTECODE_PUTFIELD,
    BYTECODE_PUTFIELD, BYTECODE_PUTFIELD, BYTECODE_PUTFIELD, BYTECODE_PUTFIELD,
    BYTECODE_PUTFIELD,
    /* aload_0, and the same together with the next instruction, which stays */
    BYTECODE_ALOAD_0, BYTECODE_ALOAD_0, BYTECODE_ALOAD_0, BYTECODE_ALOAD_0,
    BYTECODE_ILOAD, BYTECODE_ILOAD, BYTECODE_ILOAD,
    BYTECODE_INVOKEVIRTUAL, /* of a final method */
    BYTECODE_LOOKUPSWITCH, BYTECODE_LOOKUPSWITCH, /* by a linear, a binary search */
    BYTECODE_LDC, BYTECODE_LDC_W,
    BYTECODE_RETURN,        /* from Object's constructor */
    BYTECODE_INVOKEVIRTUAL, /* of a method handle */
    /* in the archive of classes, never to be changed */
    BYTECODE_GETFIELD, BYTECODE_PUTFIELD, BYTECODE_ALOAD_0, BYTECODE_ILOAD,
};

/* Used under the lock of the sink. */
static ER_LARGE unsigned char code[CODE_BYTES];
static ER_LARGE unsigned char named[CODE_BYTES / 8]; /* bit n: constant n is done */
static ER_LARGE char name_text[ER_STR_MAX];

/* What is read to restore a method's operands. */
struct pool {
    struct mem *m;
    u64 constants;
    u64 cache;
    u64 tags;
};

/* Copy the method's code. 1, or 0: it cannot be read. */
static int
copy(struct mem *m, const struct hotspot_bytecodes *method)
{
    const u32 piece = 1u << MEM_PAGE_SHIFT;

    for (u32 at = 0; at < method->size; at += piece) {
        u32 len = method->size - at < piece ? method->size - at : piece;

        if (!mem_ok(m, method->code + at, len))
            return 0;
        memcpy(code + at, (const void *)(uintptr_t)(method->code + at), len);
    }
    return 1;
}

/* The index of the constant pool in entry `number` of the cache; 0 = not known. */
static u32
from_entry(const struct pool *p, enum hotspot_use use, u32 number)
{
    const struct hotspot_entries *e = &hotspot_methods.entries[use];
    u64 at = p->cache;
    u32 index;

    if (e->array != HOTSPOT_NONE && !mem_load(p->m, at + e->array, &at))
        return 0;
    if (!at || at >> REGS_PC_BITS ||
        !hotspot_load_u16(p->m, at + e->first + (u64)number * e->bytes + e->index,
                          &index))
        return 0;
    return index;
}

/* Like from_entry(), for an object that ldc instructions load, by its number. */
static u32
from_reference(const struct pool *p, u32 number)
{
    u32 index;
    u64 at;

    if (!mem_load(p->m, p->cache + hotspot_methods.cache_references, &at) || !at ||
        at >> REGS_PC_BITS ||
        !hotspot_load_u16(p->m, at + hotspot_methods.small_first + 2 * (u64)number,
                          &index))
        return 0;
    return index;
}

/* A number as the machine writes it, in the processor's order of bytes. */
static u32
native_u16(const unsigned char *p)
{
    uint16_t value;

    memcpy(&value, p, sizeof(value));
    return value;
}

static int
put_index(unsigned char *to, u32 index)
{
    to[0] = (unsigned char)(index >> 8);
    to[1] = (unsigned char)index;
    return index != 0;
}

/* Restore invokedynamic: its number has 32 bits, inverted in older versions. */
static int
restore_dynamic(const struct pool *p, unsigned char *operand)
{
    int number;

    memcpy(&number, operand, sizeof(number));
    operand[2] = operand[3] = 0;
    return put_index(operand, from_entry(p, HOTSPOT_DYNAMIC,
                                         (u32)(number < 0 ? ~number : number)));
}

/* Restore the operand after `at`; was: the machine's opcode. 1, or 0: not known. */
static int
restore(const struct pool *p, u32 at, u32 was)
{
    unsigned char *operand = code + at + 1;
    u32 index;

    if (was == FAST_LDC) {
        index = from_reference(p, *operand);
        *operand = (unsigned char)index;
        return index && index <= 0xff;
    }
    if (was == FAST_LDC_W)
        return put_index(operand, from_reference(p, native_u16(operand)));
    switch (bytecodes[code[at]].operands) {
    case BYTECODE_FIELD:
        return put_index(operand, from_entry(p, HOTSPOT_FIELDS, native_u16(operand)));
    case BYTECODE_METHOD:
    case BYTECODE_INTERFACE:
        return put_index(operand, from_entry(p, HOTSPOT_CALLS, native_u16(operand)));
    case BYTECODE_DYNAMIC:
        return restore_dynamic(p, operand);
    default:
        return 1;
    }
}

static int
restore_all(const struct pool *p, u32 size)
{
    for (u32 at = 0, len; at < size; at += len) {
        u32 was = code[at];

        if (was >= FIRST && was - FIRST < ER_COUNT(plain))
            code[at] = plain[was - FIRST];
        len = bytecode_length(code, at, size);
        if (!len || !restore(p, at, was))
            return 0;
    }
    return 1;
}

static int
put_bytes(u32 size, u64 ticks)
{
    for (u32 at = 0; at < size; at += ER_STR_MAX) {
        u32 len = size - at < ER_STR_MAX ? size - at : ER_STR_MAX;
        struct rec_bytes rec = { .time = ticks,
                                 .code = { (const char *)code + at, len } };
        unsigned char *to = sink_begin(ticks, ER_RECORD_MAX + len);

        if (!to)
            return -ENOSPC;
        writer_commit(sink.writer, rec_put_bytes(&sink.writer->codec, to, &rec));
    }
    return 0;
}

/* Load a constant: a value, or two indexes of 16 bits, the first in the lower half. */
static int
load_constant(const struct pool *p, u32 index, u64 *value)
{
    return mem_load(p->m,
                    p->constants + hotspot_methods.pool_bytes + 8 * (u64)index, value);
}

static int
put_class(const struct pool *p, u32 index, struct hotspot_text *f)
{
    struct er_str name;
    u64 slot;

    if (!load_constant(p, index, &slot) ||
        hotspot_constant(p->m, p->constants, (u32)slot >> 16, &name))
        return -ENOENT;
    hotspot_put_class(f, name);
    return 0;
}

/* Append a field or method with its class, or a call site, which has no class. */
static int
put_member(const struct pool *p, u32 tag, u64 slot, struct hotspot_text *f)
{
    struct er_str name, type;

    if (tag <= CONSTANT_INTERFACE_METHOD) {
        if (put_class(p, (u32)slot & 0xffff, f))
            return -ENOENT;
        hotspot_put(f, ".", 1);
    }
    if (!load_constant(p, (u32)slot >> 16, &slot) ||
        hotspot_constant(p->m, p->constants, (u32)slot & 0xffff, &name) ||
        hotspot_constant(p->m, p->constants, (u32)slot >> 16, &type))
        return -ENOENT;
    if (type.len && type.s[0] == '(')
        hotspot_put_method(f, (struct er_str){ "", 0 }, name, type);
    else
        hotspot_put(f, name.s, name.len);
    return 0;
}

static int
put_string(const struct pool *p, u64 at, struct hotspot_text *f)
{
    struct er_str text;

    if (hotspot_symbol(p->m, at & ~(u64)1, &text))
        return -ENOENT;
    hotspot_put(f, "\"", 1);
    hotspot_put(f, text.s, text.len < TEXT_BYTES ? text.len : TEXT_BYTES);
    hotspot_put(f, text.len > TEXT_BYTES ? "..." : "\"",
                text.len > TEXT_BYTES ? 3 : 1);
    return 0;
}

static void
put_number(int64_t value, struct hotspot_text *f)
{
    u64 left = value < 0 ? -(u64)value : (u64)value;
    char text[20], *at = text + sizeof(text);

    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (value < 0)
        *--at = '-';
    hotspot_put(f, at, (u32)(text + sizeof(text) - at));
}

/* Append a constant as Java writes it. 0; -ENOENT: it is of a kind that is left out. */
static int
put_constant(const struct pool *p, u32 index, struct hotspot_text *f)
{
    u64 slot, at = p->tags + hotspot_methods.small_first + index;
    u32 tag;

    if (!mem_ok(p->m, at, 1) || !load_constant(p, index, &slot))
        return -ENOENT;
    tag = *(const unsigned char *)(uintptr_t)at;
    switch (tag) {
    case CONSTANT_FIELD:
    case CONSTANT_METHOD:
    case CONSTANT_INTERFACE_METHOD:
    case CONSTANT_DYNAMIC:
    case CONSTANT_CALL_SITE:
        return put_member(p, tag, slot, f);
    case CONSTANT_CLASS:
    case CONSTANT_CLASS_UNRESOLVED:
    case CONSTANT_CLASS_IN_ERROR:
        return put_class(p, index, f);
    case CONSTANT_STRING:
        return put_string(p, slot, f);
    case CONSTANT_INTEGER:
        put_number((int)(u32)slot, f);
        return 0;
    case CONSTANT_LONG:
        put_number((int64_t)slot, f);
        return 0;
    default:
        return -ENOENT;
    }
}

static int
name(const struct pool *p, u32 index, u64 ticks)
{
    struct hotspot_text f = { name_text, name_text + sizeof(name_text) };
    struct rec_bytes rec = { .time = ticks, .constant = index };
    unsigned char *to;

    if (put_constant(p, index, &f))
        return 0;
    rec.code = (struct er_str){ name_text, (u32)(f.at - name_text) };
    to = sink_begin(ticks, ER_RECORD_MAX + rec.code.len);
    if (!to)
        return -ENOSPC;
    writer_commit(sink.writer, rec_put_bytes(&sink.writer->codec, to, &rec));
    return 0;
}

/* Record each name that the code uses once. */
static void
put_names(const struct pool *p, u32 size, u64 ticks)
{
    u32 probes = p->m->probes;

    memset(named, 0, sizeof(named));
    for (u32 at = 0; at < size && p->m->probes - probes < PROBES;
         at += bytecode_length(code, at, size)) {
        u32 index = bytecode_constant(code, at);
        unsigned char bit = (unsigned char)(1u << index % 8);

        if (!index || named[index / 8] & bit)
            continue;
        named[index / 8] |= bit;
        if (name(p, index, ticks))
            return;
    }
}

void
hotspot_bytecode(struct mem *m, const struct hotspot_bytecodes *method)
{
    struct pool p = { .m = m, .constants = method->constants };

    if (!hotspot_methods.bytecodes || !method->size || method->size > CODE_BYTES ||
        !mem_load(m, p.constants + hotspot_methods.pool_cache, &p.cache) ||
        !mem_load(m, p.constants + hotspot_methods.pool_tags, &p.tags) || !p.tags ||
        p.tags >> REGS_PC_BITS || p.cache >> REGS_PC_BITS || !copy(m, method) ||
        !restore_all(&p, method->size) || put_bytes(method->size, method->ticks))
        return;
    put_names(&p, method->size, method->ticks);
}
