/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filtercalls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/lookup/callvalue.h"

int
filtercalls_load(struct session *session, u32 experiment, struct filter_calls *out)
{
    return calls_names(session, experiment, &out->calls, &out->name, &out->ids);
}

void
filtercalls_free(struct filter_calls *calls)
{
    calls_free(&calls->calls);
    free(calls->name);
    *calls = (struct filter_calls){ 0 };
}

int
filtercalls_named(const struct filter_calls *calls, const regex_t *pattern,
                  struct filter_call_set *out)
{
    out->fits = calloc((size_t)calls->ids + 1, 1);
    for (u32 i = 0; out->fits && i < calls->ids; i++)
        out->fits[i] = calls->name[i] != CALLS_NO_NAME &&
                       !regexec(pattern, calls->calls.name[calls->name[i]].name, 0,
                                NULL, 0);
    return out->fits ? 0 : -ENOMEM;
}

/*
 * Match each text once against the pattern: (*out)[index] = 1 if it matches. A zero
 * byte in a text counts as a blank. 0 or -ENOMEM.
 */
static int
match_texts(const struct calls *c, const regex_t *pattern, unsigned char **out)
{
    char *text = malloc(CALL_TEXT_MAX + 1);

    *out = calloc((size_t)c->texts + 1, 1);
    for (u32 i = 0; text && *out && i < c->texts; i++) {
        struct er_str s = c->text[i].text;

        if (s.len > CALL_TEXT_MAX)
            s.len = CALL_TEXT_MAX;
        if (s.len)
            memcpy(text, s.s, s.len);
        for (u32 k = 0; k < s.len; k++)
            text[k] = text[k] ? text[k] : ' ';
        text[s.len] = '\0';
        (*out)[i] = !regexec(pattern, text, 0, NULL, 0);
    }
    free(text);
    return text && *out ? 0 : -ENOMEM;
}

int
filtercalls_argument(const struct filter_calls *calls, const char *word, u32 len,
                     const regex_t *pattern, struct filter_call_set *out)
{
    const struct calls *c = &calls->calls;
    char *name = strndup(word, len);
    int ret = name ? 0 : -ENOMEM;

    out->pattern = pattern;
    if (ret == 0 && pattern)
        ret = match_texts(c, pattern, &out->fits);
    if (ret == 0 && len) {
        out->argument = malloc(((size_t)c->names + 1) * sizeof(*out->argument));
        ret = out->argument ? 0 : -ENOMEM;
    }
    for (u32 i = 0; out->argument && i < c->names; i++)
        out->argument[i] = callvalue_find(&c->name[i], name);
    free(name);
    if (ret < 0)
        filtercalls_set_free(out);
    return ret;
}

void
filtercalls_set_free(struct filter_call_set *set)
{
    free(set->fits);
    free(set->argument);
    *set = (struct filter_call_set){ 0 };
}

static bool
find_name(const struct filter_calls *calls, const struct filter_call *call,
          struct call_made *out)
{
    if (call->callee >= calls->ids || calls->name[call->callee] == CALLS_NO_NAME)
        return false;
    *out = (struct call_made){ .name = calls->name[call->callee], .end = call->end,
                               .values = call->values };
    /* `calls` was loaded for one experiment, so all its texts are of that one. */
    out->experiment = calls->calls.texts ? calls->calls.text[0].experiment : 0;
    return true;
}

bool
filtercalls_number(const struct filter_calls *calls, const struct filter_call_set *set,
                   const struct filter_call *call, int64_t *out)
{
    struct callvalue_plain plain;
    struct call_made made;

    if (!find_name(calls, call, &made) || set->argument[made.name] < 0)
        return false;
    plain = callvalue_plain(&calls->calls, &made, (u32)set->argument[made.name]);
    *out = plain.number;
    return plain.kind == CALLVALUE_NUMBER;
}

static bool
argument_fits(const struct filter_calls *calls, const struct filter_call_set *set,
              const struct call_made *made, u32 argument, bool *known)
{
    const struct calls *c = &calls->calls;
    struct callvalue_plain plain = callvalue_plain(c, made, argument);
    const struct call_text *text = NULL;
    char *shown;
    bool fits;

    if (plain.kind == CALLVALUE_TEXT)
        text = calls_text(c, made->experiment, (u32)plain.number);
    if (text) {
        *known = true;
        return set->fits[text - c->text];
    }
    shown = callvalue_argument(c, made, argument, false);
    *known = shown && *shown;
    fits = *known && !regexec(set->pattern, shown, 0, NULL, 0);
    free(shown);
    return fits;
}

bool
filtercalls_fits(const struct filter_calls *calls, const struct filter_call_set *set,
                 const struct filter_call *call, bool *known)
{
    bool any = false, fits = false;
    struct call_made made;

    *known = find_name(calls, call, &made);
    if (!*known || !set->pattern)
        return *known && set->fits[call->callee];
    if (set->argument) {
        int argument = set->argument[made.name];

        *known = argument >= 0;
        return *known && argument_fits(calls, set, &made, (u32)argument, known);
    }
    for (u32 i = 0; i <= calls->calls.name[made.name].type.arguments && !fits; i++) {
        fits = argument_fits(calls, set, &made, i, known);
        any |= *known;
    }
    *known = any;
    return fits;
}
