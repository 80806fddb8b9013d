/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the words, numbers and types in a row of calltype.h. */
#include "share/callread.h"

#include <string.h>

enum {
    NESTED = 4, /* deepest nesting of structs */
    STR_LIMIT = 200,
    SQL_LIMIT = 1000,
    BUF_LIMIT = 64,
};

static const struct scalar {
    const char *name;
    unsigned char kind;
    unsigned char size;
} scalars[] = {
    { "int", CALL_SIGNED, 4 },      { "u32", CALL_UNSIGNED, 4 },
    { "uint", CALL_UNSIGNED, 4 },   { "i32", CALL_SIGNED, 4 },
    { "long", CALL_SIGNED, 8 },     { "ulong", CALL_UNSIGNED, 8 },
    { "i64", CALL_SIGNED, 8 },      { "u64", CALL_UNSIGNED, 8 },
    { "size", CALL_UNSIGNED, 8 },   { "ssize", CALL_SIGNED, 8 },
    { "short", CALL_SIGNED, 2 },    { "i16", CALL_SIGNED, 2 },
    { "u16", CALL_UNSIGNED, 2 },    { "i8", CALL_SIGNED, 1 },
    { "u8", CALL_UNSIGNED, 1 },     { "char", CALL_CHAR, 1 },
    { "bool", CALL_BOOL, 1 },       { "ptr", CALL_POINTER, 8 },
    { "float", CALL_FLOAT, 4 },     { "double", CALL_DOUBLE, 8 },
    { "ldouble", CALL_LDOUBLE, 16 },
};

int
callread_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int
is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '$' || c == '.';
}

int
callread_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void
skip_blanks(struct call_reader *r)
{
    while (r->at < r->len && callread_is_blank(r->row[r->at]))
        r->at++;
}

char
callread_peek(struct call_reader *r)
{
    skip_blanks(r);
    return r->at < r->len ? r->row[r->at] : '\0';
}

/* Keep the first error; ignore later ones. */
int
callread_fail(struct call_reader *r, const char *why)
{
    if (!r->wrong)
        r->wrong = why;
    return 0;
}

int
callread_accept(struct call_reader *r, char c)
{
    if (r->wrong || callread_peek(r) != c)
        return 0;
    r->at++;
    return 1;
}

int
callread_expect(struct call_reader *r, char c, const char *why)
{
    return callread_accept(r, c) || callread_fail(r, why);
}

struct call_span
callread_word(struct call_reader *r)
{
    struct call_span word = { 0, 0 };

    skip_blanks(r);
    word.at = (unsigned short)r->at;
    while (r->at < r->len && is_word(r->row[r->at]))
        r->at++;
    word.len = (unsigned short)(r->at - word.at);
    return word;
}

int
callread_is(const struct call_reader *r, struct call_span word, const char *text)
{
    return strlen(text) == word.len && !memcmp(r->row + word.at, text, word.len);
}

int64_t
callread_number(struct call_reader *r)
{
    u64 value = 0, base = 10;
    int minus = callread_accept(r, '-'), digits = 0;

    skip_blanks(r);
    if (r->at + 1 < r->len && r->row[r->at] == '0' && (r->row[r->at + 1] | 32) == 'x')
        base = 16, r->at += 2;
    for (; r->at < r->len; r->at++, digits++) {
        char c = r->row[r->at];
        u64 digit = callread_is_digit(c) ? (u64)(c - '0') : (u64)((c | 32) - 'a') + 10;

        if (!callread_is_digit(c) && !(base == 16 && digit >= 10 && digit < 16))
            break;
        if (value > (~0ull - digit) / base)
            return callread_fail(r, "too large a number");
        value = value * base + digit;
    }
    if (!digits)
        return callread_fail(r, "a number is missing");
    return (int64_t)(minus ? 0 - value : value);
}

static void
add_part(struct call_reader *r, struct call_shape *s, const struct scalar *of,
         u32 limit)
{
    u32 align = of->size;
    struct call_part *p = &s->part[s->parts];

    if (s->parts == CALL_PARTS) {
        callread_fail(r, "too many fields");
        return;
    }
    s->size = (s->size + align - 1) & ~(align - 1);
    *p = (struct call_part){ .kind = of->kind, .size = of->size,
                        .at = (unsigned short)s->size,
                        .limit = (unsigned short)limit };
    s->size += of->size;
    s->align = s->align > align ? s->align : align;
    s->parts++;
}

static void
add_kind(struct call_reader *r, struct call_shape *s, enum call_kind kind, u32 size,
         u32 limit)
{
    struct scalar of = { "", (unsigned char)kind, (unsigned char)size };

    add_part(r, s, &of, limit);
}

/*
 * Read ":N" after a text's type: how many bytes of the text are kept. If there is none,
 * they are `usual`.
 */
static u32
read_limit(struct call_reader *r, u32 usual)
{
    int64_t n;

    if (!callread_accept(r, ':'))
        return usual;
    n = callread_number(r);
    if (!r->wrong && (n < 1 || n > CALL_TEXT_MAX))
        callread_fail(r, "a text is kept up to 1000 bytes");
    return (u32)n;
}

/* Read what follows the word enum: nothing, or (NAME=N, NAME, ...). */
static void
read_enum(struct call_reader *r, struct call_shape *s)
{
    u32 at = s->parts;

    add_kind(r, s, CALL_ENUM, 4, 0);
    if (!callread_accept(r, '('))
        return;
    if (at < CALL_PARTS)
        s->part[at].list = (unsigned short)r->at;
    do {
        if (!callread_word(r).len)
            callread_fail(r, "a name is missing");
        if (callread_accept(r, '='))
            (void)callread_number(r);
    } while (callread_accept(r, ','));
    callread_expect(r, ')', "')' is missing");
}

static void
read_buf(struct call_reader *r, struct call_shape *s)
{
    u32 at = s->parts;
    struct call_span length;

    add_kind(r, s, CALL_BUF, 8, 0);
    callread_expect(r, '(', "buf wants the argument with its length: buf(3)");
    length = callread_word(r);
    if (!length.len)
        callread_fail(r, "buf wants the argument with its length: buf(3)");
    callread_expect(r, ')', "')' is missing");
    if (r->wrong)
        return;
    s->part[at].length = length;
    s->part[at].limit = (unsigned short)read_limit(r, BUF_LIMIT);
}

static void
read_struct(struct call_reader *r, struct call_shape *s, u32 depth)
{
    callread_expect(r, '{', "struct wants its fields: struct{int,double}");
    if (depth == NESTED)
        callread_fail(r, "too many structs in structs");
    do {
        struct call_shape field = { 0 };
        u32 base;

        if (r->wrong)
            return;
        callread_type(r, &field, depth + 1);
        if (!r->wrong && (!field.parts || field.out))
            callread_fail(r, "no type of a field");
        if (s->parts + field.parts > CALL_PARTS)
            callread_fail(r, "too many fields");
        if (r->wrong)
            return;
        base = (s->size + field.align - 1) & ~(field.align - 1);
        for (u32 i = 0; i < field.parts; i++) {
            s->part[s->parts] = field.part[i];
            s->part[s->parts++].at = (unsigned short)(base + field.part[i].at);
        }
        s->size = base + field.size;
        s->align = s->align > field.align ? s->align : field.align;
    } while (callread_accept(r, ','));
    callread_expect(r, '}', "'}' is missing");
    s->size = (s->size + s->align - 1) & ~(s->align - 1);
}

static void
read_out(struct call_reader *r, struct call_shape *s, u32 depth)
{
    callread_expect(r, '(', "out wants a type: out(int)");
    if (!r->wrong)
        callread_type(r, s, depth + 1);
    if (!r->wrong && (!s->parts || s->out || depth))
        callread_fail(r, "no type that out() can have");
    callread_expect(r, ')', "')' is missing");
    s->out = 1;
}

static int
read_text_type(struct call_reader *r, struct call_shape *s, struct call_span word)
{
    if (callread_is(r, word, "str"))
        add_kind(r, s, CALL_STR, 8, read_limit(r, STR_LIMIT));
    else if (callread_is(r, word, "sql"))
        add_kind(r, s, CALL_SQL, 8, read_limit(r, SQL_LIMIT));
    else if (callread_is(r, word, "secret"))
        add_kind(r, s, CALL_SECRET, 8, 0);
    else if (callread_is(r, word, "buf"))
        read_buf(r, s);
    else
        return 0;
    return 1;
}

static int
read_complex(struct call_reader *r, struct call_shape *s, struct call_span word)
{
    static const struct {
        const char *name;
        unsigned char kind, size;
    } types[] = { { "cfloat", CALL_FLOAT, 4 },
                  { "cdouble", CALL_DOUBLE, 8 },
                  { "cldouble", CALL_LDOUBLE, 16 } };

    for (u32 i = 0; i < ER_COUNT(types); i++) {
        if (!callread_is(r, word, types[i].name))
            continue;
        add_kind(r, s, types[i].kind, types[i].size, 0);
        add_kind(r, s, types[i].kind, types[i].size, 0);
        s->complex = 1;
        return 1;
    }
    return 0;
}

void
callread_type(struct call_reader *r, struct call_shape *s, u32 depth)
{
    struct call_span word = callread_word(r);

    for (u32 i = 0; i < ER_COUNT(scalars); i++)
        if (callread_is(r, word, scalars[i].name)) {
            add_part(r, s, &scalars[i], 0);
            return;
        }
    if (read_text_type(r, s, word) || read_complex(r, s, word))
        return;
    if (callread_is(r, word, "fd") || callread_is(r, word, "errno")) {
        s->has_errno = 1;
        add_kind(r, s, CALL_SIGNED, 4, 0);
    } else if (callread_is(r, word, "enum")) {
        read_enum(r, s);
    } else if (callread_is(r, word, "struct")) {
        read_struct(r, s, depth);
    } else if (callread_is(r, word, "out")) {
        read_out(r, s, depth);
    } else if (!callread_is(r, word, "void") || depth) {
        r->at = word.at;
        callread_fail(r, word.len ? "there is no such type" : "a type is missing");
    }
}
