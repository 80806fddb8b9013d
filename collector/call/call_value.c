/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes arguments and results for a record, in the order that the function's type
 * gives.
 */
#include <string.h>

#include "collector/call/call.h"

/* Read a number of 1, 2, 4 or 8 bytes, as C would convert it to 64 bits. */
static inline u64
number_at(const void *at, u32 size, int is_signed)
{
    u64 value = 0;
    u32 shift = 64 - 8 * size;

    switch (size) {
    case 1:
        value = *(const unsigned char *)at;
        break;
    case 2:
        memcpy(&value, at, 2);
        break;
    case 4:
        memcpy(&value, at, 4);
        break;
    default:
        memcpy(&value, at, 8);
        return value;
    }
    return is_signed ? (u64)((int64_t)(value << shift) >> shift) : value;
}

/* Convert a value to an integer, to judge a result, or for the length of a buffer. */
static int64_t
as_number(const struct call_value *v, const void *at)
{
    float f;
    double d;

    switch (v->kind) {
    case CALL_FLOAT:
        memcpy(&f, at, sizeof(f));
        return f > -9e18f && f < 9e18f ? (int64_t)f : 0;
    case CALL_DOUBLE:
        memcpy(&d, at, sizeof(d));
        return d > -9e18 && d < 9e18 ? (int64_t)d : 0;
    case CALL_LDOUBLE:
        return 0;
    default:
        return (int64_t)number_at(at, v->size,
                                  v->kind == CALL_SIGNED || v->kind == CALL_ENUM ||
                                      v->kind == CALL_CHAR);
    }
}

static const char *
argument_at(const struct call_frame *frame, const struct call_value *v)
{
    const char *area = v->area == CALL_IN_GENERAL ? (const char *)frame->general
                       : v->area == CALL_IN_SSE   ? (const char *)frame->sse
                                                  : (const char *)frame->stack;

    return area + v->offset;
}

static const char *
result_at(const struct call_frame *frame, const struct call_value *v)
{
    const char *area = v->area == CALL_IN_GENERAL ? (const char *)frame->result
                       : v->area == CALL_IN_SSE   ? (const char *)frame->result_sse
                                                  : (const char *)frame->result_x87;

    return area + v->offset;
}

static u64
length_of(const struct call_frame *frame, const struct call_function *f,
          const struct call_value *v)
{
    const struct call_value *length = &f->type.value[v->length];
    int64_t n = as_number(length, argument_at(frame, length));

    return n > 0 ? (u64)n : 0;
}

static unsigned char *
put_value(struct trace_scope *s, const struct call_frame *frame,
          const struct call_function *f, const struct call_value *v, const void *at,
          unsigned char *to)
{
    u32 fixed = v->kind == CALL_LDOUBLE ? 10 : v->size;
    u64 value;

    switch (v->kind) {
    case CALL_FLOAT:
    case CALL_DOUBLE:
    case CALL_LDOUBLE:
        memcpy(to, at, fixed);
        return to + fixed;
    case CALL_SECRET:
        return to;
    default:
        break;
    }
    value = number_at(at, v->size, 0);
    if (v->kind == CALL_STR || v->kind == CALL_SQL)
        return put_varint(to, call_text_string(s, value, v->limit));
    if (v->kind == CALL_BUF)
        return put_varint(to, call_text_bytes(s, value, length_of(frame, f, v),
                                              v->limit));
    if (v->kind == CALL_SIGNED || v->kind == CALL_ENUM || v->kind == CALL_CHAR)
        return put_varint(to, zigzag((u64)as_number(v, at)));
    return put_varint(to, value);
}

unsigned char *
call_value_before(struct trace_scope *s, const struct call_frame *frame,
                  const struct call_function *f, unsigned char *to)
{
    for (u32 i = 0; i < f->type.before; i++) {
        const struct call_value *v = &f->type.value[i];

        to = put_value(s, frame, f, v, argument_at(frame, v), to);
    }
    return to;
}

/* How many bytes are read through the pointer argument whose first value is value i. */
static u32
pointed_bytes(const struct call_type *t, u32 i)
{
    u32 bytes = 0, argument = t->value[i].argument;

    for (; i < t->values && t->value[i].argument == argument; i++)
        if ((u32)t->value[i].at + t->value[i].size > bytes)
            bytes = (u32)t->value[i].at + t->value[i].size;
    return bytes;
}

unsigned char *
call_value_after(struct trace_scope *s, const struct call_frame *frame,
                 const struct call_function *f, unsigned char *to, int64_t *result)
{
    const struct call_type *t = &f->type;
    int judged = 0, readable = 1;

    for (u32 i = t->before; i < t->values; i++) {
        const struct call_value *v = &t->value[i];
        const char *at = v->argument ? argument_at(frame, v) : result_at(frame, v);

        if (v->flags & CALL_POINTED) {
            u64 address = number_at(at, 8, 0);

            if (v->flags & CALL_FIRST) {
                readable = call_text_readable(s, address, pointed_bytes(t, i));
                *to++ = (unsigned char)readable;
            }
            if (!readable)
                continue;
            at = (const char *)(uintptr_t)address + v->at;
        }
        if (!v->argument && !judged) {
            *result = as_number(v, at);
            judged = 1;
        }
        to = put_value(s, frame, f, v, at, to);
    }
    return to;
}
