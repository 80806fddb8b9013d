/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filtertoken.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

const struct token_desc filter_tokens[TOKEN_COUNT] = {
#define FILTER_TOKEN(name, kind, source, doc) { #name, TOKEN_IS_##kind, source, doc },
#include "print/tokens.def"
#undef FILTER_TOKEN
};

/* Copy the text up to `end` or a blank, unless it is too long; returns its length. */
static size_t
copy_word(const char *from, char end, char *out, size_t size)
{
    size_t n = 0;

    while (from[n] && from[n] != end && from[n] != ' ')
        n++;
    if (n < size) {
        memcpy(out, from, n);
        out[n] = '\0';
    }
    return n;
}

int
filter_token_source(const char **source, struct token_source *out)
{
    const char *at = *source + strspn(*source, " ");

    *out = (struct token_source){ "", "" };
    if (!*at)
        return -ENOENT;
    at += copy_word(at, '.', out->record, sizeof(out->record));
    at += *at == '.';
    at += copy_word(at, ' ', out->field, sizeof(out->field));
    *source = at;
    return 0;
}

bool
filter_word_is_reserved(const char *name, u32 len)
{
    static const char *const words[] = { "IN", "SOME", "ORDERED", "FNAME", "DNAME",
                                         "FILEIOVFD", "all" };

    for (u32 i = 0; i < ER_COUNT(words); i++)
        if (strlen(words[i]) == len && !strncasecmp(words[i], name, len))
            return true;
    return filter_token_find(name, len) < TOKEN_COUNT;
}

enum filter_token
filter_token_find(const char *name, u32 len)
{
    for (u32 i = 0; i < TOKEN_COUNT; i++)
        if (strlen(filter_tokens[i].name) == len &&
            !strncasecmp(filter_tokens[i].name, name, len))
            return (enum filter_token)i;
    return TOKEN_COUNT;
}
