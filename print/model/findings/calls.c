/* SPDX-License-Identifier: Apache-2.0 */
/* Reports how long the calls of named functions took, and which of them failed. */
#include "print/model/call/callsum.h"
#include "print/model/call/callbuild.h"
#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"

static const struct call_sum *
most_self(const struct call_sums *sums)
{
    const struct call_sum *most = &sums->sum[0];

    for (u32 i = 1; i < sums->count; i++)
        if (sums->sum[i].self > most->self)
            most = &sums->sum[i];
    return most;
}

static void
add_one(struct findings *f, const struct calls *calls, const struct call_sum *only)
{
    phrase_begin(f, FINDING_CALL, "calls");
    phrase_add_count(f, only->count, "call of", "calls of");
    phrase_add(f, " ");
    phrase_add_name(f, FIND_NAME, calls->name[only->name].name);
    phrase_add(f, " took ");
    phrase_add_time(f, only->time);
    phrase_add(f, "; the longest took %s.", phrase_seconds(f, only->longest));
}

/* Report the calls of the function with the most time of its own. */
static void
add_most(struct findings *f, const struct calls *calls, const struct call_sums *sums)
{
    const struct call_sum *most = most_self(sums);
    u64 self = 0;
    u32 functions = 0;

    for (u32 i = 0; i < sums->count; i++) {
        self += sums->sum[i].self;
        functions += sums->sum[i].count > 0;
    }
    if (functions == 1) {
        add_one(f, calls, most);
        return;
    }
    phrase_begin(f, FINDING_CALL, "calls");
    phrase_add_count(f, calls->count, "call", "calls");
    phrase_add(f, " of %u functions named with -T took ", functions);
    phrase_add_time(f, self);
    phrase_add(f, ": ");
    phrase_add_share(f, (double)most->self, (double)self);
    phrase_add(f, ", %s, in ", phrase_seconds(f, most->self));
    phrase_add_name(f, FIND_NAME, calls->name[most->name].name);
    phrase_add(f, " itself, called %llu time%s, once for %s.",
               (unsigned long long)most->count, most->count == 1 ? "" : "s",
               phrase_seconds(f, most->longest));
}

/* Report the function whose calls failed most often. */
static void
add_failed(struct findings *f, const struct calls *calls, const struct call_sums *sums)
{
    const struct call_sum *most = NULL;

    for (u32 i = 0; i < sums->count; i++)
        if (sums->sum[i].failed && (!most || sums->sum[i].failed > most->failed))
            most = &sums->sum[i];
    if (!most)
        return;
    phrase_begin(f, FINDING_CALL, "calls");
    phrase_add_count(f, most->failed, "call of", "calls of");
    phrase_add(f, " ");
    phrase_add_name(f, FIND_NAME, calls->name[most->name].name);
    phrase_add(f, " failed.");
}

int
sections_calls(struct session *session, struct findings *f)
{
    struct calls calls;
    struct call_sums sums;
    int ret;

    if (!sections_any(session, FILE_calltrace))
        return 0;
    ret = callbuild(session, &calls);
    if (ret < 0)
        return ret;
    ret = callsum_build(&calls, NULL, &sums);
    if (ret == 0) {
        if (calls.count)
            add_most(f, &calls, &sums);
        add_failed(f, &calls, &sums);
        callsum_free(&sums);
    }
    calls_free(&calls);
    return ret;
}
