/* SPDX-License-Identifier: Apache-2.0 */
/* Where a function's values are, by the calling convention of x86-64. */
#include "share/callread.h"

/* Add the value of a part; the caller fills in its place. NULL: there are too many. */
static struct call_value *
add_value(struct call_reader *r, const struct call_part *p, u32 argument, u32 flags)
{
    struct call_type *t = r->type;
    struct call_value *v = &t->value[t->values];

    if (t->values == CALL_VALUES) {
        callread_fail(r, "too many values");
        return NULL;
    }
    *v = (struct call_value){ .kind = p->kind, .size = p->size,
                              .argument = (unsigned char)argument,
                              .flags = (unsigned char)flags, .limit = p->limit,
                              .list = p->list };
    r->length[t->values++] = p->length;
    return v;
}

/*
 * Place a value whose parts lie together: from `offset` in the area on; or, with
 * CALL_POINTED, at the address that is there.
 */
static void
place_block(struct call_reader *r, const struct call_shape *s, u32 argument, u32 flags,
            enum call_area area, u32 offset)
{
    for (u32 i = 0; i < s->parts; i++) {
        u32 first = flags & CALL_POINTED && !i ? CALL_FIRST : 0;
        struct call_value *v = add_value(r, &s->part[i], argument, flags | first);

        if (!v)
            return;
        v->area = (unsigned char)area;
        v->offset = (unsigned short)offset;
        if (flags & CALL_POINTED)
            v->at = s->part[i].at;
        else
            v->offset = (unsigned short)(v->offset + s->part[i].at);
    }
}

static int
is_float(const struct call_part *p)
{
    return p->kind == CALL_FLOAT || p->kind == CALL_DOUBLE;
}

static int
has_ldouble(const struct call_shape *s)
{
    for (u32 i = 0; i < s->parts; i++)
        if (s->part[i].kind == CALL_LDOUBLE)
            return 1;
    return 0;
}

/* Is this word (8 bytes) of a value passed in an SSE register? */
static int
is_sse(const struct call_shape *s, u32 word)
{
    int sse = 1;

    for (u32 i = 0; i < s->parts; i++)
        if (s->part[i].at / 8 == word)
            sse &= is_float(&s->part[i]);
    return sse;
}

/*
 * Place a value in registers, one for each word of 8 bytes. general, sse: how many
 * registers of that kind are in use already.
 */
static void
place_words(struct call_reader *r, const struct call_shape *s, u32 argument, u32 flags,
            u32 general, u32 sse)
{
    u32 place[2] = { 0, 0 };

    for (u32 word = 0; word < (s->size + 7) / 8; word++)
        place[word] = is_sse(s, word) ? 16 * sse++ : 8 * general++;
    for (u32 i = 0; i < s->parts; i++) {
        const struct call_part *p = &s->part[i];
        struct call_value *v = add_value(r, p, argument, flags);

        if (!v)
            return;
        v->area = is_sse(s, p->at / 8) ? CALL_IN_SSE : CALL_IN_GENERAL;
        v->offset = (unsigned short)(place[p->at / 8] + p->at % 8);
    }
}

static void
place_on_stack(struct call_reader *r, const struct call_shape *s, u32 argument)
{
    u32 align = s->align > 8 ? s->align : 8;

    r->stack = (r->stack + align - 1) & ~(align - 1);
    place_block(r, s, argument, 0, CALL_ON_STACK, r->stack);
    r->stack += (s->size + 7) & ~7u;
    if (r->stack > 8 * CALL_STACK_WORDS)
        callread_fail(r, "too much is passed on the stack");
}

static void
place_argument(struct call_reader *r, const struct call_shape *s, u32 argument)
{
    u32 words = (s->size + 7) / 8, sse = 0;

    for (u32 i = 0; i < words && i < 2; i++)
        sse += (u32)is_sse(s, i);
    if (words > 2 || has_ldouble(s) || r->sse + sse > 8 ||
        r->general + words - sse > 6) {
        place_on_stack(r, s, argument);
        return;
    }
    place_words(r, s, argument, 0, r->general, r->sse);
    r->sse += sse;
    r->general += words - sse;
}

static int
is_in_memory(const struct call_shape *s)
{
    if (has_ldouble(s))
        return s->parts > 2 || (s->parts == 2 && !s->complex);
    return s->size > 16;
}

static void
place_result(struct call_reader *r, const struct call_shape *s)
{
    if (is_in_memory(s)) {
        place_block(r, s, 0, CALL_AFTER | CALL_POINTED, CALL_IN_GENERAL, 0);
    } else if (has_ldouble(s)) {
        r->type->x87 = s->parts;
        place_block(r, s, 0, CALL_AFTER, CALL_IN_X87, 0);
    } else {
        place_words(r, s, 0, CALL_AFTER, 0, 0);
    }
}

/*
 * Where the address is that an out() argument passes. The values at such addresses come
 * last.
 */
struct out {
    enum call_area area;
    u32 offset;
};

static struct out
place_address(struct call_reader *r)
{
    struct out out = { CALL_IN_GENERAL, 8 * r->general };

    if (r->general < 6) {
        r->general++;
        return out;
    }
    out.area = CALL_ON_STACK;
    out.offset = r->stack;
    r->stack += 8;
    return out;
}

void
callplace_all(struct call_reader *r, const struct call_row *row)
{
    struct call_type *t = r->type;
    struct out out[CALL_ARGUMENTS];

    /* If a struct is returned in memory, the first register has its address. */
    r->general = is_in_memory(&row->result);
    for (u32 i = 0; i < t->arguments && !r->wrong; i++) {
        if (row->argument[i].out)
            out[i] = place_address(r);
        else
            place_argument(r, &row->argument[i], i + 1);
    }
    t->before = t->values;
    for (u32 i = 0; i < t->arguments && !r->wrong; i++)
        if (row->argument[i].out)
            place_block(r, &row->argument[i], i + 1, CALL_AFTER | CALL_POINTED,
                        out[i].area, out[i].offset);
    if (!r->wrong && row->result.parts)
        place_result(r, &row->result);
    t->words = (r->stack + 7) / 8;
    if (t->words > CALL_STACK_WORDS)
        callread_fail(r, "too much is passed on the stack");
    if (t->variadic)
        t->words = CALL_UNKNOWN_WORDS;
}
