/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/briefname.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Parts of names that are left out, or replaced. */
static const struct {
    const char *text;
    const char *instead;
} noise[] = {
    { "(anonymous namespace)::", "" },
    { "std::__cxx11::", "std::" },
    { "std::__1::", "std::" },
    { "[abi:cxx11]", "" },
};

/*
 * The text after the bracket that closes the one at s; the end of s if none closes it.
 */
static const char *
behind_bracket(const char *s, char open, char close)
{
    u32 depth = 0;

    for (; *s; s++) {
        if (*s == open)
            depth++;
        else if (*s == close && s[-1] != '-' && !--depth)
            return s + 1;
    }
    return s;
}

/* Operators. Longer ones come first, since they may begin with shorter ones. */
static const char *const signs[] = {
    "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
    "--",  "+=",  "-=",  "*=",  "/=", "%=", "^=", "&=", "|=", "->", "()", "[]", "<",
    ">",   "=",   "+",   "-",   "*",  "/",  "%",  "^",  "&",  "|",  "~",  "!",  ",",
};

/*
 * Write an operator's name: "operator==", with "<..>" for template arguments. Returns
 * the text after the name, or NULL if s is not an operator.
 */
static const char *
put_operator(const char *s, FILE *f)
{
    static const char word[] = "operator";
    const char *sign = s + strlen(word);
    size_t len = 0;

    if (strncmp(s, word, strlen(word)))
        return NULL;
    for (u32 i = 0; i < ER_COUNT(signs) && !len; i++)
        if (!strncmp(sign, signs[i], strlen(signs[i])))
            len = strlen(signs[i]);
    if (!len)
        return NULL;
    fprintf(f, "%s%.*s", word, (int)len, sign);
    s = sign + len;
    if (*s == ' ' && s[1] == '<')
        putc(*s++, f);
    if (*s != '<')
        return s;
    fputs("<..>", f);
    return behind_bracket(s, '<', '>');
}

/*
 * Does only "::operator()" follow the lambda, so that the name is that of its function?
 */
static bool
is_call(const char *rest)
{
    static const char call[] = "::operator()";
    size_t len = strlen(call);

    if (strncmp(rest, call, len))
        return false;
    rest += len;
    if (*rest == '<')
        rest = behind_bracket(rest, '<', '>');
    return !*rest;
}

/*
 * Write a lambda: with its line if the name is that of its operator() and the line is
 * known, else with its number, if any. rest: the text after the lambda, which is also
 * returned. line: where the function is declared, 0 = not known.
 */
static const char *
put_number(const char *rest, unsigned long number, u32 line, FILE *f)
{
    if (line && is_call(rest))
        fprintf(f, "{lambda:%u}", line);
    else if (number)
        fprintf(f, "{lambda#%lu}", number);
    else
        fputs("{lambda}", f);
    return rest;
}

/*
 * Write the lambda at s. In symbols it is "{lambda(int)#2}"; in template arguments
 * "<lambda(int)>"; clang calls it "$_1" and, if it was inlined, "(anonymous at line
 * 7)". Returns the text after it, or NULL if s is not a lambda.
 */
static const char *
put_lambda(const char *s, u32 line, FILE *f)
{
    static const char symbol[] = "{lambda(", argument[] = "<lambda(",
                      unnamed[] = "(anonymous at line ";
    unsigned long number;
    char *end;

    if (!strncmp(s, symbol, strlen(symbol))) {
        s = behind_bracket(s + strlen(symbol) - 1, '(', ')');
        number = *s == '#' ? strtoul(s + 1, &end, 10) : 0;
        return *s == '#' && *end == '}' ? put_number(end + 1, number, line, f) : NULL;
    }
    if (!strncmp(s, argument, strlen(argument)))
        return put_number(behind_bracket(s, '<', '>'), 0, line, f);
    if (!strncmp(s, unnamed, strlen(unnamed))) {
        number = strtoul(s + strlen(unnamed), &end, 10);
        if (*end != ')' || !is_call(end + 1))
            return NULL;
        return put_number(end + 1, 0, (u32)number, f);
    }
    if (strncmp(s, "$_", 2) || !isdigit((unsigned char)s[2]))
        return NULL;
    number = strtoul(s + 2, &end, 10);
    return put_number(end, number + 1, line, f);
}

/*
 * Shorten or omit the part of the name at s. Returns the text after that part, or NULL
 * if the character at s must stay.
 */
static const char *
put_shorter(const char *name, const char *s, u32 line, FILE *f)
{
    bool inside = s > name && (isalnum((unsigned char)s[-1]) || s[-1] == '_');
    const char *next = inside ? NULL : put_lambda(s, line, f);

    if (!next && !inside)
        next = put_operator(s, f);
    if (next)
        return next;

    for (u32 i = 0; i < ER_COUNT(noise); i++)
        if (!strncmp(s, noise[i].text, strlen(noise[i].text))) {
            fputs(noise[i].instead, f);
            return s + strlen(noise[i].text);
        }
    /* A bracket that begins Rust's "<T as Trait>::f" must stay. */
    if (*s == '<' && (inside || (s > name && s[-1] == ':'))) {
        fputs("<..>", f);
        return behind_bracket(s, '<', '>');
    }
    return NULL;
}

char *
briefname(const char *name, u32 line)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    for (const char *s = name; *s;) {
        const char *next = put_shorter(name, s, line, f);

        if (!next) {
            next = s + 1;
            putc(*s, f);
        }
        s = next;
    }
    if (fclose(f)) {
        free(text);
        return NULL;
    }
    return text;
}
