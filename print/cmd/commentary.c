/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/commentary.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the part of the list that was read so far asks for. */
struct requested {
    u64 threshold;
    bool has_threshold;
    bool classes;            /* classes of comments are asked for */
    bool hex, no_hex;
    bool src, no_src;
};

static const struct {
    const char *name;
    size_t least; /* letters that distinguish it from the others */
} classes[] = {
    { "all", 1 },    { "basic", 1 },  { "version", 1 }, { "parallel", 2 },
    { "query", 1 },  { "loop", 1 },   { "pipe", 2 },    { "inline", 1 },
    { "memops", 1 }, { "fe", 1 },     { "codegen", 2 }, { "cf", 2 },
};

static bool
is_word(const char *text, size_t len, const char *word, size_t least)
{
    return len >= least && len <= strlen(word) && !strncasecmp(text, word, len);
}

static bool
is_class(const char *text, size_t len)
{
    for (size_t i = 0; i < ER_COUNT(classes); i++)
        if (is_word(text, len, classes[i].name, classes[i].least))
            return true;
    return false;
}

/* Parse threshold=N. Returns 0, or 1 after a message. */
static int
parse_threshold(struct shell *sh, const char *word, size_t len, struct requested *w)
{
    const char *equals = memchr(word, '=', len);
    char number[24] = "";
    size_t digits = len - (size_t)(equals + 1 - word);

    if (digits >= sizeof(number))
        return shell_fail(sh, "the threshold is a percentage");
    memcpy(number, equals + 1, digits);
    w->has_threshold = true;
    return shell_number(sh, number, 100, &w->threshold);
}

static int
parse_word(struct shell *sh, const char *word, size_t len, struct requested *w)
{
    const char *equals = memchr(word, '=', len);

    if (equals && is_word(word, (size_t)(equals - word), "threshold", 1))
        return parse_threshold(sh, word, len, w);
    if (is_word(word, len, "none", 4))
        w->classes = false;
    else if (is_word(word, len, "hex", 1))
        w->hex = true;
    else if (is_word(word, len, "nohex", 3))
        w->no_hex = true;
    else if (is_word(word, len, "src", 3))
        w->src = true;
    else if (is_word(word, len, "nosrc", 3))
        w->no_src = true;
    else if (is_class(word, len))
        w->classes = true;
    else
        return shell_fail(sh, "\"%.*s\" is neither a class of comments nor one of "
                              "threshold=N, hex, nohex, src, nosrc, none", (int)len,
                          word);
    return 0;
}

static void
apply(struct shell *sh, const struct requested *w, bool source, bool disasm)
{
    if (w->has_threshold && source)
        sh->sthresh = (u32)w->threshold;
    if (w->has_threshold && disasm)
        sh->dthresh = (u32)w->threshold;
    if (!disasm)
        return;
    sh->hex = (sh->hex || w->hex) && !w->no_hex;
    sh->no_source = (sh->no_source || w->no_src) && !w->src;
}

int
commentary_set(struct shell *sh, const char *list, bool source, bool disasm)
{
    struct requested w = { 0 };

    for (size_t len; *list; list += len + (list[len] == ':')) {
        len = strcspn(list, ":");
        if (parse_word(sh, list, len, &w))
            return 1;
    }
    apply(sh, &w, source, disasm);
    if (w.classes && !sh->rc)
        shell_note(sh, "compilers for Linux leave no comments in what they make, so "
                       "there are none to show");
    return 0;
}
