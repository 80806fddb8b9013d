/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filterlex.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    char text[3];
    int what;
} operators[] = {
    { "==", LEX_EQ },  { "!=", LEX_NE },  { "<=", LEX_LE },  { ">=", LEX_GE },
    { "<<", LEX_SHL }, { ">>", LEX_SHR }, { "&&", LEX_AND }, { "||", LEX_OR },
};

/* The units of time that may follow a number. */
static const struct {
    const char *name;
    int64_t ns;
} units[] = {
    { "ns", 1 },
    { "us", 1000 },
    { "ms", 1000000 },
    { "s", 1000000000 },
};

int
filterlex_fail(const struct filter_lexer *l, const char *at, const char *format, ...)
{
    va_list ap;

    l->error->column = (u32)(at - l->text) + 1;
    va_start(ap, format);
    vsnprintf(l->error->text, sizeof(l->error->text), format, ap);
    va_end(ap);
    return -EINVAL;
}

static bool
in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/*
 * Read the fraction of a number, from its point on; returns it in ns, without digits
 * below 1 ns. unit: the ns for which a 1 before the point stands.
 */
static int64_t
fraction(const char **at, int64_t unit)
{
    int64_t value = 0;

    for (++*at; isdigit((unsigned char)**at); ++*at) {
        unit /= 10;
        value += unit * (**at - '0');
    }
    return value;
}

/*
 * Read a decimal number and its unit, if any. The unit is looked up first, since it
 * scales the number.
 */
static int
read_decimal(struct filter_lexer *l)
{
    const char *end = l->at + strspn(l->at, "0123456789"), *name = end;
    int64_t unit = 0, value = 0;

    if (*name == '.')
        name += 1 + strspn(name + 1, "0123456789");
    for (u32 i = 0; i < ER_COUNT(units); i++)
        if (!strncasecmp(name, units[i].name, strlen(units[i].name)) &&
            !in_name(name[strlen(units[i].name)]))
            unit = units[i].ns;
    if (*end == '.' && !unit)
        return filterlex_fail(l, end, "only a number with a unit (s, ms, us) may have "
                                      "a decimal point");
    for (; l->at < end; l->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *l->at - '0', &value))
            return filterlex_fail(l, l->word, "the number is too large");
    if (unit && __builtin_mul_overflow(value, unit, &value))
        return filterlex_fail(l, l->word, "the number is too large");
    if (*l->at == '.')
        value += fraction(&l->at, unit);
    if (unit)
        l->at = name + strspn(name, "nmusNMUS");
    l->number = value;
    return 0;
}

static int
read_hexadecimal(struct filter_lexer *l)
{
    u64 value = 0;
    u32 digits = 0;

    for (l->at += 2; isxdigit((unsigned char)*l->at); l->at++, digits++) {
        int c = tolower((unsigned char)*l->at);

        if (value >> 60)
            return filterlex_fail(l, l->word, "the number is too large");
        value = value << 4 | (u64)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    if (!digits)
        return filterlex_fail(l, l->word, "a number in hexadecimal needs digits");
    l->number = (int64_t)value;
    return 0;
}

static int
read_number(struct filter_lexer *l)
{
    bool hex = l->at[0] == '0' && (l->at[1] == 'x' || l->at[1] == 'X');
    int err = hex ? read_hexadecimal(l) : read_decimal(l);

    if (err)
        return err;
    if (in_name(*l->at))
        return filterlex_fail(l, l->at, "\"%c\" cannot stand in a number", *l->at);
    l->len = (u32)(l->at - l->word);
    l->what = LEX_NUMBER;
    return 0;
}

/* Does `word` follow at *at, optionally after blanks? If so, move *at past it. */
static bool
follows(const char **at, const char *word)
{
    const char *p = *at;
    size_t n = strlen(word);

    while (isspace((unsigned char)*p))
        p++;
    if (strncasecmp(p, word, n) || in_name(p[n]))
        return false;
    *at = p + n;
    return true;
}

static void
read_name(struct filter_lexer *l)
{
    const char *p;

    while (in_name(*l->at))
        l->at++;
    l->len = (u32)(l->at - l->word);
    l->what = LEX_NAME;
    p = l->word;
    if (follows(&p, "IN")) {
        l->what = LEX_IN;
        return;
    }
    p = l->at;
    if (l->len == 4 && !strncasecmp(l->word, "SOME", 4) && follows(&p, "IN"))
        l->what = LEX_SOME_IN;
    else if (l->len == 7 && !strncasecmp(l->word, "ORDERED", 7) && follows(&p, "IN"))
        l->what = LEX_ORDERED_IN;
    else
        return;
    l->at = p;
    l->len = (u32)(l->at - l->word);
}

/* Read a string. A quotation mark in it needs a backslash before it, which is kept. */
static int
read_string(struct filter_lexer *l)
{
    char mark = *l->at++;

    while (*l->at && *l->at != mark)
        l->at += l->at[0] == '\\' && l->at[1] ? 2 : 1;
    if (!*l->at)
        return filterlex_fail(l, l->word, "a quotation mark has no partner");
    l->word++;
    l->len = (u32)(l->at - l->word);
    l->at++;
    l->what = LEX_STRING;
    return 0;
}

static int
read_operator(struct filter_lexer *l)
{
    for (u32 i = 0; i < ER_COUNT(operators); i++) {
        if (strncmp(l->at, operators[i].text, 2))
            continue;
        l->what = operators[i].what;
        l->len = 2;
        l->at += 2;
        return 0;
    }
    if (*l->at == '=')
        return filterlex_fail(l, l->at, "\"=\" is not an operator; \"==\" compares");
    if (!strchr("+-*/%<>&|^~!?:(),", *l->at))
        return filterlex_fail(l, l->at, "this character has no meaning here");
    l->what = (unsigned char)*l->at++;
    l->len = 1;
    return 0;
}

int
filterlex_next(struct filter_lexer *l)
{
    while (isspace((unsigned char)*l->at))
        l->at++;
    l->word = l->at;
    l->len = 0;
    l->what = LEX_END;
    if (!*l->at)
        return 0;
    if (isdigit((unsigned char)*l->at))
        return read_number(l);
    if (*l->at == '"' || *l->at == '\'')
        return read_string(l);
    if (!in_name(*l->at))
        return read_operator(l);
    read_name(l);
    return 0;
}

int
filterlex_begin(struct filter_lexer *l, const char *text, struct filter_error *error)
{
    *l = (struct filter_lexer){ .text = text, .at = text, .error = error };
    return filterlex_next(l);
}
