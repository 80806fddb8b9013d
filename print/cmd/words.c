/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/mem.h"

static int
blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copy one word from *in to *out; the two overlap, out never overtakes in. */
static int
take_word(char **in, char **out)
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
        if (take_word(&in, &out)) {
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

/* Where a comment starts, or the end; # within quotes starts none. */
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
words_split_rest(struct words *w, const char *line, const char **error)
{
    char *text, *word, *rest, *end;

    line += strspn(line, " \t\r\n");
    rest = strpbrk(line, " \t\r\n");
    if (!rest || strchr("\"'#", rest[strspn(rest, " \t\r\n")]))
        return words_split(w, line, error);
    word = text = mem_strdup(line);
    rest = strpbrk(text, " \t\r\n");
    *rest++ = '\0';
    while (blank(*rest))
        rest++;
    end = comment(rest);
    while (end > rest && blank(end[-1]))
        end--;
    *end = '\0';
    *w = (struct words){ .n = 2, .v = { word, rest }, .text = text };
    return 0;
}

void
words_free(struct words *w)
{
    free(w->text);
    *w = (struct words){ 0 };
}

int
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
