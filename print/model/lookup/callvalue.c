/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/callvalue.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const struct calls *calls;
    const struct call_made *made;
    const struct call_name *name;
    const unsigned char *at;
    const unsigned char *end;
    bool bad;      /* the values from `at` on cannot be decoded */
    bool readable; /* the memory to which the current argument points could be read */
    bool fold;     /* write ? for constants in SQL */
    FILE *out;     /* NULL = write nothing */
};

static u64
next_varint(struct reading *r)
{
    u64 value = 0;

    for (u32 shift = 0; shift < 64 && r->at < r->end; shift += 7) {
        unsigned char byte = *r->at++;

        value |= (u64)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    r->bad = true;
    return 0;
}

static bool
next_bytes(struct reading *r, void *to, u32 bytes)
{
    if (r->end - r->at < bytes) {
        r->bad = true;
        return false;
    }
    memcpy(to, r->at, bytes);
    r->at += bytes;
    return true;
}

static void
put_quoted(FILE *out, const char *s, u32 len, bool cut)
{
    fputc('"', out);
    for (u32 i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", out);
        else if (c == '\t')
            fputs("\\t", out);
        else if (c < 32 || c == 127)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
    fputs(cut ? "\"..." : "\"", out);
}

static void
put_text(struct reading *r, const struct call_value *v, u64 id)
{
    const struct call_text *text;

    if (id < 2) {
        fputs(id ? "<unreadable>" : "NULL", r->out);
        return;
    }
    text = calls_text(r->calls, r->made->experiment, (u32)id);
    if (!text) {
        fputs("<text not recorded>", r->out);
    } else if (r->fold && (v->kind == CALL_SQL ||
                           (v->kind == CALL_STR &&
                            callfold_is_sql(text->text.s, text->text.len)))) {
        char *folded = callfold_sql(text->text.s, text->text.len);

        if (folded)
            fputs(folded, r->out);
        fputs(text->cut ? " ..." : "", r->out);
        free(folded);
    } else {
        put_quoted(r->out, text->text.s, text->text.len, text->cut);
    }
}

/*
 * Write the name of an enum's constant with this value, from the list in the function's
 * row. Returns whether there was one.
 */
static bool
put_enum(struct reading *r, const struct call_value *v, int64_t value)
{
    const char *p = r->name->row + v->list, *end = r->name->row + r->name->row_len;
    int64_t next = 0;

    while (v->list && p < end && *p != ')') {
        const char *name, *stop;

        while (p < end && (isspace((unsigned char)*p) || *p == ','))
            p++;
        name = p;
        while (p < end && (isalnum((unsigned char)*p) || strchr("_$.", *p)))
            p++;
        stop = p;
        while (p < end && isspace((unsigned char)*p))
            p++;
        if (p < end && *p == '=') {
            char *after;

            next = strtoll(p + 1, &after, 0);
            p = after;
        }
        if (next++ == value && stop > name) {
            fwrite(name, 1, (size_t)(stop - name), r->out);
            return true;
        }
        while (p < end && *p != ',' && *p != ')')
            p++;
    }
    return false;
}

/* A value as it was recorded. */
struct scalar {
    u64 raw; /* the number in the record; of a text, its id */
    long double real; /* the value of a real number */
    bool readable;    /* else neither is set */
};

static void
read_scalar(struct reading *r, const struct call_value *v, struct scalar *s)
{
    unsigned char byte = 0;
    float f = 0;
    double d = 0;

    *s = (struct scalar){ .readable = true };
    if (v->flags & CALL_FIRST)
        r->readable = next_bytes(r, &byte, 1) && byte;
    if (v->flags & CALL_POINTED)
        s->readable = r->readable;
    if (r->bad || !s->readable || v->kind == CALL_SECRET)
        return;
    if (v->kind == CALL_FLOAT && next_bytes(r, &f, sizeof(f)))
        s->real = (long double)f;
    else if (v->kind == CALL_DOUBLE && next_bytes(r, &d, sizeof(d)))
        s->real = d;
    else if (v->kind == CALL_LDOUBLE)
        next_bytes(r, &s->real, 10);
    else if (v->kind < CALL_FLOAT)
        s->raw = next_varint(r);
}

static void
put_number(struct reading *r, const struct call_value *v, u64 raw)
{
    int64_t value = (int64_t)unzigzag(raw);

    switch (v->kind) {
    case CALL_STR:
    case CALL_SQL:
    case CALL_BUF:
        put_text(r, v, raw);
        break;
    case CALL_POINTER:
        fprintf(r->out, raw ? "0x%" PRIx64 : "NULL", raw);
        break;
    case CALL_BOOL:
        fputs(raw ? "true" : "false", r->out);
        break;
    case CALL_UNSIGNED:
        fprintf(r->out, "%" PRIu64, raw);
        break;
    case CALL_CHAR:
        if (value >= 32 && value < 127)
            fprintf(r->out, "'%c'", (char)value);
        else
            fprintf(r->out, "%" PRId64, value);
        break;
    case CALL_ENUM:
        if (put_enum(r, v, value))
            break;
        /* fall through */
    default:
        fprintf(r->out, "%" PRId64, value);
        break;
    }
}

/*
 * Write a value. If an argument's memory could not be read, its first value says so,
 * and the others are empty.
 */
static void
put_value(struct reading *r, const struct call_value *v, const struct scalar *s)
{
    if (!s->readable)
        fputs(v->flags & CALL_FIRST ? "<unreadable>" : "", r->out);
    else if (v->kind == CALL_SECRET)
        fputs("<secret>", r->out);
    else if (v->kind == CALL_FLOAT)
        fprintf(r->out, "%.9g", (double)s->real);
    else if (v->kind == CALL_DOUBLE)
        fprintf(r->out, "%.17g", (double)s->real);
    else if (v->kind == CALL_LDOUBLE)
        fprintf(r->out, "%.21Lg", s->real);
    else
        put_number(r, v, s->raw);
}

static u32
last_of(const struct call_type *t, u32 first)
{
    while (first + 1 < t->values &&
           t->value[first + 1].argument == t->value[first].argument)
        first++;
    return first;
}

/*
 * Read and write all values of an argument, in braces if there are several. If r->out
 * is NULL, only skip them.
 */
static void
put_argument(struct reading *r, u32 first)
{
    const struct call_type *t = &r->name->type;
    u32 last = last_of(t, first);
    bool many = r->out && last > first;

    if (many)
        fputc('{', r->out);
    for (u32 i = first; i <= last && !r->bad; i++) {
        struct scalar s;

        read_scalar(r, &t->value[i], &s);
        if (!r->out || r->bad)
            continue;
        if (i > first && s.readable)
            fputs(", ", r->out);
        put_value(r, &t->value[i], &s);
    }
    if (many)
        fputc('}', r->out);
}

static struct reading
start(const struct calls *calls, const struct call_made *made, FILE *out)
{
    const unsigned char *values = (const unsigned char *)made->values.s;

    return (struct reading){ .calls = calls, .made = made,
                             .name = &calls->name[made->name], .at = values,
                             .end = values + made->values.len, .out = out };
}

/*
 * Does the record have value i? A call that did not return has only the values that
 * were read before the call.
 */
static bool
is_there(const struct reading *r, u32 i)
{
    return i < r->name->type.before || !call_was_left(r->made);
}

char *
callvalue_argument(const struct calls *calls, const struct call_made *made,
                   u32 argument, bool fold)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct reading r = start(calls, made, out);
    const struct call_type *t = &r.name->type;

    r.fold = fold;
    for (u32 i = 0; out && i < t->values && is_there(&r, i) && !r.bad;) {
        r.out = t->value[i].argument == argument ? out : NULL;
        put_argument(&r, i);
        i = last_of(t, i) + 1;
    }
    if (out && fclose(out)) {
        free(text);
        text = NULL;
    }
    return text;
}

struct callvalue_plain
callvalue_plain(const struct calls *calls, const struct call_made *made, u32 argument)
{
    struct reading r = start(calls, made, NULL);
    const struct call_type *t = &r.name->type;
    struct callvalue_plain p = { CALLVALUE_NONE, 0 };
    struct scalar s = { 0 };
    u32 i = 0;

    for (; i < t->values && is_there(&r, i) && !r.bad; i++) {
        read_scalar(&r, &t->value[i], &s);
        if (t->value[i].argument == argument)
            break;
    }
    if (i == t->values || !is_there(&r, i) || r.bad || !s.readable ||
        last_of(t, i) > i || t->value[i].kind == CALL_SECRET)
        return p;
    p.kind = CALLVALUE_NUMBER;
    p.number = (int64_t)s.raw;
    if (t->value[i].kind == CALL_STR || t->value[i].kind == CALL_SQL ||
        t->value[i].kind == CALL_BUF)
        p.kind = CALLVALUE_TEXT;
    else if (t->value[i].kind >= CALL_FLOAT)
        p.number = s.real > -9e18L && s.real < 9e18L ? (int64_t)s.real : 0;
    else if (t->value[i].kind == CALL_SIGNED || t->value[i].kind == CALL_CHAR ||
             t->value[i].kind == CALL_ENUM)
        p.number = (int64_t)unzigzag(s.raw);
    return p;
}

static void
put_name(const struct reading *r, u32 argument)
{
    struct call_span name = r->name->type.argument[argument - 1];

    if (name.len)
        fprintf(r->out, "%.*s=", (int)name.len, r->name->row + name.at);
}

/*
 * Write the call. Arguments are shown in their order, but in the record, those that
 * were read after the call follow the others: find each by its own scan. 0 or -ENOMEM.
 */
static int
put_call(const struct calls *calls, const struct call_made *made, FILE *out)
{
    const struct call_name *name = &calls->name[made->name];
    const struct call_type *t = &name->type;
    struct reading r = start(calls, made, out);
    char *result;

    fputs(name->name, out);
    if (!name->known) {
        fputs("(...)", out);
        return 0;
    }
    fputc('(', out);
    for (u32 i = 1; i <= t->arguments; i++) {
        char *text = callvalue_argument(calls, made, i, false);

        if (!text)
            return -ENOMEM;
        fputs(i > 1 ? ", " : "", out);
        put_name(&r, i);
        fputs(*text ? text : "?", out);
        free(text);
    }
    fputs(t->variadic ? ", ...)" : ")", out);
    result = call_was_left(made) ? NULL : callvalue_argument(calls, made, 0, false);
    if (result && *result)
        fprintf(out, " = %s", result);
    free(result);
    if (made->error)
        fprintf(out, " %s", strerrorname_np((int)made->error)
                                ? strerrorname_np((int)made->error)
                                : "errno ?");
    if (made->end == CALL_UNWOUND)
        fputs(" <left by an exception>", out);
    else if (made->end == CALL_JUMPED)
        fputs(" <left by a jump>", out);
    else if (made->end == CALL_NOT_ENDED)
        fputs(" <not ended>", out);
    return 0;
}

char *
callvalue_call(const struct calls *calls, const struct call_made *made)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int ret = out ? put_call(calls, made, out) : -ENOMEM;

    if (out && fclose(out))
        ret = -ENOMEM;
    if (ret < 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The number of the first argument that is text; 0 if only the result is; -1 = none. */
static int
find_text(const struct call_type *t)
{
    for (u32 i = 0; i < t->values; i++)
        if (t->value[i].kind == CALL_STR || t->value[i].kind == CALL_SQL)
            return (int)t->value[i].argument;
    return -1;
}

int
callvalue_find(const struct call_name *name, const char *word)
{
    const struct call_type *t = &name->type;
    char *end;
    unsigned long n;

    for (u32 i = 0; i < t->arguments; i++)
        if (t->argument[i].len && t->argument[i].len == strlen(word) &&
            !memcmp(name->row + t->argument[i].at, word, t->argument[i].len))
            return (int)i + 1;
    if (!strcmp(word, "result"))
        return t->values && !t->value[t->values - 1].argument ? 0 : -1;
    if (!strcmp(word, "text"))
        return find_text(t);
    n = strtoul(word, &end, 10);
    return *word && !*end && n >= 1 && n <= t->arguments ? (int)n : -1;
}
