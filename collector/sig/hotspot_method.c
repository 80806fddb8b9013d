/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hotspot_method.h"

#include <errno.h>
#include <string.h>

#include "collector/sig/clock.h"
#include "collector/sig/hotspot.h"
#include "collector/sig/hotspot_bytecode.h"
#include "collector/sig/hotspot_name.h"
#include "collector/sig/sink.h"

enum {
    SETS = 4096,
    SET_BITS = 12,
    WAYS = 4,
    NAME_BYTES = ER_STR_MAX,
    LINES = 4096,        /* maximum number of lines recorded of a method */
    TABLE_BYTES = 1 << 15,
    VERSION_NO_ZEROS = 19, /* from here on numbers in tables have no zero bytes */
    SINCE_NS = 10000000,   /* `since` is set back: a hit's time precedes its walk */
    RECENT_BITS = 12,
    RECENT = 1 << RECENT_BITS,
    MOMENT_SHIFT = 22, /* a moment is 1 << 22 ticks: 1 to 4 ms */
    MOMENTS = 3,       /* moments during which a method is not read again */
    SIZE_BITS = 16,
};

struct known {
    u64 method;
    u64 check; /* 0 = empty */
};

static ER_LARGE struct known table[SETS][WAYS];

/*
 * Methods that were read within the last milliseconds are not read again, since it
 * takes system calls to find out whether their pages can be read. A method that is on a
 * stack is not unloaded. If a method was unloaded just now and another is in its place,
 * the new one is shown as the old one for that long.
 */
struct recent {
    u64 key; /* recent_key() of what follows and the method: torn rows do not match */
    u64 code;
    u64 moment_size; /* when, in moments, << SIZE_BITS | the size of the code */
};

static ER_LARGE struct recent recent[RECENT];

/* Used under the lock of the sink. */
static ER_LARGE char name_text[NAME_BYTES], file_text[NAME_BYTES];

void
hotspot_set_methods(const struct hotspot_method_layout *l)
{
    hotspot_methods = *l;
    __atomic_store_n(&hotspot_find_method, hotspot_method, __ATOMIC_RELEASE);
}

void
hotspot_forget_methods(void)
{
    __atomic_store_n(&hotspot_find_method, NULL, __ATOMIC_RELEASE);
    for (u32 i = 0; i < SETS; i++)
        for (u32 way = 0; way < WAYS; way++)
            table[i][way].check = 0;
    for (u32 i = 0; i < RECENT; i++)
        recent[i].key = 0;
}

/* What is read of a method. */
struct parts {
    u64 constants;
    u64 holder;
    u64 code;
    u32 code_size;
    u32 name;
    u32 signature;
    u32 flags;
};

static int
read_parts(struct mem *m, u64 method, struct parts *p, u64 *check)
{
    u64 at;

    if ((method & 7) ||
        !mem_load(m, method + hotspot_methods.method_const, &at) || (at & 7) || !at ||
        at >> REGS_PC_BITS ||
        !mem_load(m, at + hotspot_methods.const_constants, &p->constants) ||
        !hotspot_load_u16(m, at + hotspot_methods.const_code_size, &p->code_size) ||
        !hotspot_load_u16(m, at + hotspot_methods.const_name, &p->name) ||
        !hotspot_load_u16(m, at + hotspot_methods.const_signature, &p->signature) ||
        !hotspot_load_u16(m, at + hotspot_methods.const_flags, &p->flags))
        return 0;
    p->code = at + hotspot_methods.const_bytes;
    *check = (at ^ p->constants << 16 ^ (u64)p->code_size << 40 ^ (u64)p->name << 20 ^
              p->signature) * 0x9e3779b97f4a7c15ull | 1;
    return 1;
}

static struct known *
set_of(u64 method)
{
    return table[(method >> 3) * 0x9e3779b97f4a7c15ull >> (64 - SET_BITS)];
}

_Static_assert(SETS == 1 << SET_BITS, "set_of() keeps as many bits");

static int
is_known(u64 method, u64 check)
{
    const struct known *set = set_of(method);

    for (u32 i = 0; i < WAYS; i++)
        if (__atomic_load_n(&set[i].method, __ATOMIC_RELAXED) == method &&
            __atomic_load_n(&set[i].check, __ATOMIC_RELAXED) == check)
            return 1;
    return 0;
}

/*
 * Remember a method, with the lock held: in the entry that it had, an empty one, or
 * any.
 */
static void
know(u64 method, u64 check)
{
    struct known *set = set_of(method), *e = &set[check >> 1 & (WAYS - 1)];

    for (u32 i = WAYS; i-- > 0;)
        if (!set[i].check || set[i].method == method)
            e = &set[i];
    __atomic_store_n(&e->check, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&e->method, method, __ATOMIC_RELAXED);
    __atomic_store_n(&e->check, check, __ATOMIC_RELEASE);
}

/*
 * Put together the source file's name, with the directory of the package. Returns its
 * length, 0 = not known.
 */
static u32
put_file(struct mem *m, const struct parts *p, struct er_str class)
{
    struct hotspot_text f = { file_text, file_text + sizeof(file_text) };
    struct er_str file;
    u32 index, dir = class.len;

    if (hotspot_methods.pool_source == HOTSPOT_NONE ||
        !hotspot_load_u16(m, p->constants + hotspot_methods.pool_source, &index) ||
        !index || hotspot_constant(m, p->constants, index, &file))
        return 0;
    while (dir > 0 && class.s[dir - 1] != '/')
        dir--;
    for (u32 i = 0; i < file.len; i++)
        if (file.s[i] == '/')
            dir = 0; /* the machine's own classes have the directory in the name */
    hotspot_put(&f, class.s, dir);
    hotspot_put(&f, file.s, file.len);
    return (u32)(f.at - file_text);
}

/* A table of lines, as the machine packs it. */
struct reader {
    struct mem *m;
    u64 at;
    u64 end;
};

static u32
next_byte(struct reader *r)
{
    if (r->at >= r->end || !mem_ok(r->m, r->at, 1))
        return 0;
    return *(const unsigned char *)(uintptr_t)r->at++;
}

/*
 * Read a number: up to five digits of 6 bits, of which a byte below a bound is the
 * last; then the number is decoded from zigzag form.
 */
static int
next_number(struct reader *r)
{
    u32 excluded = hotspot_methods.version >= VERSION_NO_ZEROS, bound = 192 - excluded;
    u32 sum = 0, byte;

    for (u32 i = 0; i < 5; i++) {
        byte = next_byte(r);
        if (byte < excluded)
            break;
        byte -= excluded;
        sum += byte << 6 * i;
        if (byte < bound)
            break;
    }
    return (int)(sum >> 1) ^ -(int)(sum & 1);
}

/* Read the next pair of the table. 1, or 0 at the end. */
static int
next_line(struct reader *r, int *index, int *line)
{
    u32 byte = next_byte(r);

    if (!byte)
        return 0;
    if (byte == 0xff) {
        *index += next_number(r);
        *line += next_number(r);
    } else {
        *index += (int)(byte >> 3);
        *line += (int)(byte & 7);
    }
    return 1;
}

static struct reader
lines_of(struct mem *m, const struct parts *p)
{
    struct reader r = { m, p->code + p->code_size, 0 };

    if (p->flags & hotspot_methods.const_lines)
        r.end = r.at + TABLE_BYTES;
    return r;
}

static int
put_method(const struct parts *p, u64 ticks, u32 name_len, u32 file_len, int line)
{
    u64 mono = clock_mono();
    struct rec_made made = { .time = ticks,
                             .since = mono > SINCE_NS ? mono - SINCE_NS : MADE_ALWAYS,
                             .addr = p->code,
                             .size = p->code_size ? p->code_size : 1,
                             .origin = MADE_BY_INTERPRETER,
                             .line = line > 0 ? (u32)line : 0,
                             .name = { name_text, name_len } };
    struct rec_source source = { ticks, { file_text, file_len } };
    struct codec *codec = &sink.writer->codec;
    unsigned char *to = sink_begin(ticks, ER_RECORD_MAX + name_len);

    if (!to)
        return -ENOSPC;
    writer_commit(sink.writer, rec_put_made(codec, to, &made));
    if (!file_len)
        return 0;
    to = sink_begin(ticks, ER_RECORD_MAX + file_len);
    if (!to)
        return -ENOSPC;
    writer_commit(sink.writer, rec_put_source(codec, to, &source));
    return 0;
}

static void
put_lines(struct mem *m, const struct parts *p, u64 ticks, u32 has_file)
{
    struct reader r = lines_of(m, p);
    int index = 0, line = 0, last = -1;

    for (u32 n = 0; n < LINES && next_line(&r, &index, &line); n++) {
        struct rec_line rec = { .time = ticks, .offset = (u64)index,
                                .source = has_file, .line = (u32)line };
        unsigned char *to;

        /* The table's offsets may fall or repeat: such entries are left out. */
        if (index <= last || index >= (int)p->code_size || line <= 0)
            continue;
        to = sink_begin(ticks, ER_RECORD_MAX);
        if (!to)
            return;
        last = index;
        writer_commit(sink.writer,
                      rec_put_line(&sink.writer->codec, to, &rec));
    }
}

/*
 * Record the method. Call with the lock held. 0; -ENOENT: this is not a method;
 * -ENOSPC.
 */
static int
record(struct mem *m, struct parts *p)
{
    struct hotspot_text text = { name_text, name_text + sizeof(name_text) };
    struct er_str class, name, signature;
    struct reader r;
    int index = 0, line = 0;
    u32 file_len, cpu;
    u64 ticks;

    if (!mem_load(m, p->constants + hotspot_methods.pool_holder, &p->holder) ||
        !p->holder || p->holder >> REGS_PC_BITS ||
        !mem_load(m, p->holder + hotspot_methods.class_name, &ticks) ||
        hotspot_symbol(m, ticks, &class) ||
        hotspot_constant(m, p->constants, p->name, &name) ||
        hotspot_constant(m, p->constants, p->signature, &signature) ||
        !signature.len || signature.s[0] != '(')
        return -ENOENT;
    r = lines_of(m, p);
    if (!next_line(&r, &index, &line))
        line = 0;
    file_len = put_file(m, p, class);
    ticks = clock_ticks(&cpu);
    hotspot_put_method(&text, class, name, signature);
    if (put_method(p, ticks, (u32)(text.at - name_text), file_len, line))
        return -ENOSPC;
    put_lines(m, p, ticks, file_len != 0);
    hotspot_bytecode(m, &(struct hotspot_bytecodes){ .code = p->code,
                                                     .size = p->code_size,
                                                     .constants = p->constants,
                                                     .ticks = ticks });
    return 0;
}

static struct recent *
recent_of(u64 method)
{
    return &recent[(method >> 3) * 0x9e3779b97f4a7c15ull >> (64 - RECENT_BITS)];
}

static u64
recent_key(u64 method, u64 code, u64 moment_size)
{
    return (method * 0x9e3779b97f4a7c15ull ^ code) * 0xc2b2ae3d27d4eb4full ^
           moment_size;
}

static int
find_recent(u64 address, u64 moment, struct hotspot_method *method)
{
    const struct recent *r = recent_of(address);
    u64 code = __atomic_load_n(&r->code, __ATOMIC_RELAXED);
    u64 when = __atomic_load_n(&r->moment_size, __ATOMIC_RELAXED);

    if (__atomic_load_n(&r->key, __ATOMIC_RELAXED) != recent_key(address, code, when) ||
        moment - (when >> SIZE_BITS) > MOMENTS)
        return 0;
    method->code = code;
    method->size = (u32)(when & ((1u << SIZE_BITS) - 1));
    return 1;
}

static void
add_recent(u64 address, u64 moment, const struct hotspot_method *method)
{
    struct recent *r = recent_of(address);
    u64 when = moment << SIZE_BITS | method->size;

    __atomic_store_n(&r->code, method->code, __ATOMIC_RELAXED);
    __atomic_store_n(&r->moment_size, when, __ATOMIC_RELAXED);
    __atomic_store_n(&r->key, recent_key(address, method->code, when),
                     __ATOMIC_RELAXED);
}

/* Read the method, and record its name if that has not been done. */
static int
read_method(struct mem *m, u64 address, struct hotspot_method *method)
{
    struct parts p;
    u64 check, mask;
    int err = 0;

    if (!read_parts(m, address, &p, &check))
        return -ENOENT;
    method->code = p.code;
    method->size = p.code_size;
    if (ER_LIKELY(is_known(address, check)))
        return 0;
    if (!sink_try_lock(&mask))
        return -ENOENT;
    if (!is_known(address, check)) {
        err = record(m, &p);
        if (!err)
            know(address, check);
    }
    sink_unlock(mask);
    return err;
}

int
hotspot_method(struct mem *m, u64 address, struct hotspot_method *method)
{
    u64 moment;
    u32 cpu;
    int err;

    if (!sink.writer || !address || address >> REGS_PC_BITS)
        return -ENOENT;
    moment = clock_ticks(&cpu) >> MOMENT_SHIFT;
    if (ER_LIKELY(find_recent(address, moment, method)))
        return 0;
    err = read_method(m, address, method);
    if (!err)
        add_recent(address, moment, method);
    return err;
}
