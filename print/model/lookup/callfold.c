/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folds SQL statements, so that statements which differ only in constants become equal:
 * numbers, strings and blobs become ?, lists of these become (?, ...), and white space
 * and comments become a blank.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/model/lookup/callvalue.h"

struct folding {
    const char *p;
    const char *end;
    char *to;
    char *start;
};

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

bool
callfold_is_sql(const char *text, u32 len)
{
    static const char *const words[] = {
        "SELECT", "INSERT", "UPDATE", "DELETE",   "REPLACE", "WITH",  "CREATE",
        "DROP",   "ALTER",  "BEGIN",  "COMMIT",   "ROLLBACK", "PRAGMA", "EXPLAIN",
        "COPY",   "FETCH",  "DECLARE", "SAVEPOINT", "RELEASE", "TRUNCATE", "CALL",
    };
    u32 at = 0, end;

    while (at < len && (isspace((unsigned char)text[at]) || text[at] == '('))
        at++;
    for (end = at; end < len && is_word(text[end]);)
        end++;
    for (u32 i = 0; i < ER_COUNT(words); i++)
        if (strlen(words[i]) == end - at && !strncasecmp(words[i], text + at, end - at))
            return true;
    return false;
}

/*
 * Skip a text in quotes. A quote within it is doubled or, if `backslash` (as in E''),
 * may follow a backslash.
 */
static void
skip_quoted(struct folding *f, char quote, bool backslash)
{
    for (f->p++; f->p < f->end; f->p++) {
        if (backslash && *f->p == '\\' && f->p + 1 < f->end)
            f->p++;
        else if (*f->p == quote && f->p + 1 < f->end && f->p[1] == quote)
            f->p++;
        else if (*f->p == quote) {
            f->p++;
            return;
        }
    }
}

/* Skip a text quoted as $tag$ ... $tag$; returns whether there was one. */
static bool
skip_dollars(struct folding *f)
{
    const char *tag = f->p, *stop = tag + 1, *at;
    size_t len;

    while (stop < f->end && is_word(*stop) && *stop != '$' &&
           (stop > tag + 1 || !isdigit((unsigned char)*stop)))
        stop++;
    if (stop >= f->end || *stop != '$')
        return false;
    len = (size_t)(stop + 1 - tag);
    at = memmem(stop + 1, (size_t)(f->end - stop - 1), tag, len);
    f->p = at ? at + len : f->end;
    return true;
}

static void
put_blank(struct folding *f)
{
    if (f->to > f->start && f->to[-1] != ' ')
        *f->to++ = ' ';
}

/*
 * Write ? for a constant; after "?, ", write "..." once for all further ones, so that
 * lists of any length are equal.
 */
static void
put_constant(struct folding *f)
{
    char *to = f->to;

    while (to > f->start && to[-1] == ' ')
        to--;
    if (to - f->start >= 2 && to[-1] == ',' && to[-2] == '?') {
        memcpy(to - 1, ", ...", 5);
        f->to = to + 4;
        return;
    }
    if (to - f->start >= 5 && !memcmp(to - 5, ", ...", 5)) {
        f->to = to;
        return;
    }
    if (to - f->start >= 6 && !memcmp(to - 6, ", ...,", 6)) {
        f->to = to - 1;
        return;
    }
    *f->to++ = '?';
}

static void
skip_number(struct folding *f)
{
    while (f->p < f->end && (is_word(*f->p) || *f->p == '.' ||
                             ((*f->p == '+' || *f->p == '-') &&
                              (f->p[-1] == 'e' || f->p[-1] == 'E'))))
        f->p++;
}

static bool
skip_comment(struct folding *f)
{
    const char *at;

    if (f->end - f->p < 2 || (memcmp(f->p, "--", 2) && memcmp(f->p, "/*", 2)))
        return false;
    at = *f->p == '-' ? memchr(f->p, '\n', (size_t)(f->end - f->p))
                      : memmem(f->p + 2, (size_t)(f->end - f->p - 2), "*/", 2);
    f->p = !at ? f->end : *f->p == '-' ? at + 1 : at + 2;
    return true;
}

/*
 * Write a word as it is. But if it is the prefix of a text (X'', E'', N'', B''), write
 * ? for the prefix and the text.
 */
static void
fold_word(struct folding *f)
{
    const char *word = f->p;

    while (f->p < f->end && is_word(*f->p))
        f->p++;
    if (f->p < f->end && *f->p == '\'' && f->p - word <= 2 &&
        strchr("xXeEnNbB", *word)) {
        skip_quoted(f, '\'', *word == 'e' || *word == 'E');
        put_constant(f);
        return;
    }
    memcpy(f->to, word, (size_t)(f->p - word));
    f->to += f->p - word;
}

static void
fold_name(struct folding *f)
{
    const char *name = f->p;

    skip_quoted(f, *f->p, false);
    memcpy(f->to, name, (size_t)(f->p - name));
    f->to += f->p - name;
}

static void
fold(struct folding *f)
{
    char c = *f->p;

    if (isspace((unsigned char)c) || skip_comment(f)) {
        f->p += isspace((unsigned char)c) ? 1 : 0;
        put_blank(f);
    } else if (c == '\'') {
        skip_quoted(f, '\'', false);
        put_constant(f);
    } else if (c == '"' || c == '`') {
        fold_name(f);
    } else if (c == '$' && skip_dollars(f)) {
        put_constant(f);
    } else if (isdigit((unsigned char)c) ||
               (c == '.' && f->end - f->p > 1 && isdigit((unsigned char)f->p[1]))) {
        skip_number(f);
        put_constant(f);
    } else if (is_word(c)) {
        fold_word(f);
    } else {
        *f->to++ = c;
        f->p++;
    }
}

char *
callfold_sql(const char *text, u32 len)
{
    /* Folding can make the text longer, as "1,1": allow for four bytes for each. */
    struct folding f = { text, text + len, NULL, malloc(4 * (size_t)len + 16) };

    if (!f.start)
        return NULL;
    f.to = f.start;
    while (f.p < f.end)
        fold(&f);
    while (f.to > f.start && (f.to[-1] == ' ' || f.to[-1] == ';'))
        f.to--;
    *f.to = '\0';
    return f.start;
}
