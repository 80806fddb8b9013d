/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/briefname.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Parts of names that say little to who reads a table. */
static const struct {
    const char *text;
    const char *instead;
} noise[] = {
    { "(anonymous namespace)::", "" },
    { "std::__cxx11::", "std::" },
    { "std::__1::", "std::" },
    { "[abi:cxx11]", "" },
};

/* Behind the bracket that closes the one at s; the end of the text if none does. */
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

/* The length of "operator" and the sign behind it, if the text begins so; else 0. */
static size_t
operator_length(const char *s, bool inside)
{
    size_t len = strlen("operator");

    if (inside || strncmp(s, "operator", len) || !strchr("<>-=", s[len]) || !s[len])
        return 0;
    return len + strspn(s + len, "<>-=");
}

/* "{lambda(int)#2}", and clang's "$_1", as "{lambda#2}"; behind it, or NULL. */
static const char *
put_lambda(const char *s, FILE *f)
{
    static const char begin[] = "{lambda(";
    unsigned long number;
    char *end;

    if (!strncmp(s, begin, strlen(begin))) {
        s = behind_bracket(s + strlen(begin) - 1, '(', ')');
        fputs("{lambda", f);
        return s;
    }
    if (strncmp(s, "$_", 2) || !isdigit((unsigned char)s[2]))
        return NULL;
    number = strtoul(s + 2, &end, 10);
    fprintf(f, "{lambda#%lu}", number + 1);
    return end;
}

/* Behind what is said shorter or not at all at s; NULL if nothing is. */
static const char *
put_shorter(const char *name, const char *s, FILE *f)
{
    bool inside = s > name && (isalnum((unsigned char)s[-1]) || s[-1] == '_');

    for (u32 i = 0; i < ER_COUNT(noise); i++)
        if (!strncmp(s, noise[i].text, strlen(noise[i].text))) {
            fputs(noise[i].instead, f);
            return s + strlen(noise[i].text);
        }
    /* Not the bracket of Rust's "<T as Trait>::f". */
    if (*s == '<' && (inside || (s > name && s[-1] == ':'))) {
        fputs("<..>", f);
        return behind_bracket(s, '<', '>');
    }
    return inside ? NULL : put_lambda(s, f);
}

char *
briefname(const char *name)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return NULL;
    for (const char *s = name; *s;) {
        bool inside = s > name && (isalnum((unsigned char)s[-1]) || s[-1] == '_');
        size_t sign = operator_length(s, inside);
        const char *next = sign ? NULL : put_shorter(name, s, f);

        if (!next) {
            next = s + (sign ? sign : 1);
            fwrite(s, 1, (size_t)(next - s), f);
        }
        s = next;
    }
    if (fclose(f)) {
        free(text);
        return NULL;
    }
    return text;
}
