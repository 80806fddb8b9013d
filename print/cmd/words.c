/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/mem.h"

static bool
blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copy one word from *in to *out, which may overlap: *out is never ahead of *in. */
static int
copy_word(char **in, char **out)
{
    char *p = *in, *q = *out, quote = 0;

    if (*p == '\'')
        quote = *p++;
    for (; *p && (quote || !blank(*p)); p++) {
        if (*p == '\\' && quote != '\'' && (p[1] == '"' || p[1] == '\\')) {
            *q++ = *++p;
        } else if (quote && *p == quote) {
            quote = 0;
        } else if (!quote && *p == '"') {
            quote = *p;
        } else {
            *q++ = *p;
        }
    }
    if (quote)
        return -EINVAL;
    *in = *p ? p + 1 : p;
    *q = '\0';
    *out = q + 1;
    return 0;
}

int
words_split(struct words *w, const char *line, const char **error)
{
    char *text = mem_strdup(line), *in = text, *out = text;
    struct words done = { .text = text };

    for (;;) {
        while (blank(*in))
            in++;
        if (!*in || *in == '#')
            break;
        if (done.n == WORDS_MAX) {
            *error = "too many words";
            goto bad;
        }
        done.v[done.n++] = out;
        if (copy_word(&in, &out)) {
            *error = "a quotation mark has no partner";
            goto bad;
        }
    }
    *w = done;
    return 0;
bad:
    free(text);
    return -EINVAL;
}

/* Where a comment begins, or the end of the line; # within quotes begins no comment. */
static char *
comment(char *p)
{
    char quote = 0;

    for (; *p && (quote || *p != '#'); p++) {
        if (*p == quote)
            quote = 0;
        else if (!quote && (*p == '"' || *p == '\''))
            quote = *p;
    }
    return p;
}

int
words_split_rest(struct words *w, const char *line, int plain, const char **error)
{
    struct words split = { .text = mem_strdup(line) };
    char *at = split.text, *end;

    while (blank(*at))
        at++;
    for (; split.n < plain && *at; split.n++) {
        split.v[split.n] = at;
        while (*at && !blank(*at))
            at++;
        while (blank(*at))
            *at++ = '\0';
    }
    if (!*at || strchr("\"'#", *at)) {
        words_free(&split);
        return words_split(w, line, error);
    }
    end = comment(at);
    while (end > at && blank(end[-1]))
        end--;
    *end = '\0';
    split.v[split.n++] = at;
    *w = split;
    return 0;
}

void
words_free(struct words *w)
{
    free(w->text);
    *w = (struct words){ 0 };
}

bool
words_read_line(FILE *f, char **line, size_t *size, unsigned *number)
{
    char *part = NULL;
    size_t part_size = 0, used = 0;
    ssize_t n;
    int more = 0;

    while ((n = getline(&part, &part_size, f)) >= 0) {
        ++*number;
        if (n && part[n - 1] == '\n')
            part[--n] = '\0';
        more = n && part[n - 1] == '\\';
        n -= more;
        if (used + (size_t)n + 1 > *size)
            *line = mem_realloc(*line, *size = 2 * (used + (size_t)n + 1));
        memcpy(*line + used, part, (size_t)n);
        used += (size_t)n;
        (*line)[used] = '\0';
        if (!more)
            break;
    }
    free(part);
    return n >= 0 || more;
}
