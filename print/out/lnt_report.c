/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes reports for LNT's servers, version 2 of the format: one machine, one run, and
 * one test, which is the program. Its metrics are those of LNT's default suite: how
 * long it ran, whether it failed, and the profile, as the format `lnt` writes it, in
 * base64.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "print/load/experiment.h"
#include "print/out/base64.h"
#include "print/out/out.h"

enum { TIME_ROOM = 32 };

/*
 * Write a time in UTC into text[TIME_ROOM], as 2026-11-30T23:59:59 or, if `plain`, only
 * its digits; "" if it is not known.
 */
static const char *
day_time(char *text, u64 wall, bool plain)
{
    time_t seconds = (time_t)(wall / 1000000000);
    struct tm tm;
    size_t length = 0;

    if (wall && gmtime_r(&seconds, &tm))
        length = plain ? strftime(text, TIME_ROOM, "%Y%m%d%H%M%S", &tm)
                       : strftime(text, TIME_ROOM, "%Y-%m-%dT%H:%M:%S", &tm);
    if (!length)
        *text = '\0';
    return text;
}

/*
 * Write a member of an object, after a comma unless it is the *first; write nothing if
 * it has no value.
 */
static void
put_text(FILE *f, bool *first, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    fprintf(f, "%s\n        \"%s\": ", *first ? "" : ",", key);
    out_string(value, f);
    *first = false;
}

static void
put_machine(struct out *out, const struct experiment *e)
{
    const char *name = log_fact(&e->log, "host", "name");
    bool first = true;

    fputs("    \"machine\": {", out->f);
    put_text(out->f, &first, "name", name && *name ? name : "unknown");
    put_text(out->f, &first, "hardware", log_fact(&e->log, "host", "cpu"));
    put_text(out->f, &first, "os", log_fact(&e->log, "host", "os"));
    fputs("\n    },\n", out->f);
}

/* Write the run. LNT sorts runs by the numbers in their revision. */
static void
put_run(struct out *out, const struct experiment *e)
{
    u64 begin = e->start_wall, end = begin ? begin + e->end_mono - e->start_mono : 0;
    char text[TIME_ROOM];
    bool first = true;

    fputs("    \"run\": {", out->f);
    put_text(out->f, &first, "start_time", day_time(text, begin, false));
    put_text(out->f, &first, "end_time", day_time(text, end, false));
    if (!out->revision && !*day_time(text, begin, true))
        out_warn(out, "when the program ran is not known: the report has revision 0, "
                 "unless -revision gives another");
    put_text(out->f, &first, "llvm_project_revision",
             out->revision ? out->revision : *text ? text : "0");
    fputs("\n    },\n", out->f);
}

/* How many founders (each of them a run of the program) have a known duration. */
static u32
count_runs(const struct out *out)
{
    const struct session *s = out->session;
    u32 count = 0;

    for (u32 i = 0; i < s->nexperiments; i++)
        count += s->experiment[i]->is_founder &&
                 s->experiment[i]->end_mono > s->experiment[i]->start_mono;
    return count;
}

static bool
has_failed(const struct experiment *e)
{
    const struct log_event_row *end = log_end(&e->log);

    return end && (log_event_number(end, "status", 0) ||
                   log_event_number(end, "signal", 0));
}

/* Write a value for each run: its duration in seconds, or whether it failed. */
static void
put_runs(const struct out *out, const char *key, bool seconds)
{
    const struct session *s = out->session;
    const char *before = "[";

    fprintf(out->f, ",\n        \"%s\": ", key);
    for (u32 i = 0; i < s->nexperiments; i++) {
        const struct experiment *e = s->experiment[i];
        u64 ns = e->end_mono - e->start_mono;

        if (!e->is_founder || e->end_mono <= e->start_mono)
            continue;
        fprintf(out->f, "%s", before);
        if (seconds)
            fprintf(out->f, "%" PRIu64 ".%09u", ns / 1000000000,
                    (u32)(ns % 1000000000));
        else
            fprintf(out->f, "%u", has_failed(e));
        before = ", ";
    }
    putc(']', out->f);
}

static void
put_test(struct out *out, const unsigned char *profile, size_t size)
{
    const char *program = out_program(out), *slash = strrchr(program, '/');
    const char *name = slash ? slash + 1 : program;
    bool first = true;

    fputs("    \"tests\": [ {", out->f);
    put_text(out->f, &first, "name", out->test ? out->test : *name ? name : "unknown");
    if (count_runs(out)) {
        put_runs(out, "execution_time", true);
        put_runs(out, "execution_status", false);
    } else {
        out_warn(out, "how long the program ran is not known: the report has a profile "
                 "alone, which LNT does not keep without a metric of the same test");
    }
    fputs(",\n        \"profile\": \"", out->f);
    base64_write(profile, size, out->f);
    fputs("\"\n    } ]\n", out->f);
}

int
out_lnt_report(struct out *out)
{
    const struct session *s = out->session;
    char *profile = NULL;
    size_t size = 0;
    struct out inner = *out;
    int ret;

    inner.f = open_memstream(&profile, &size);
    if (!inner.f)
        return -ENOMEM;
    ret = out_lnt(&inner);
    if (fclose(inner.f) != 0 && ret == 0)
        ret = -ENOMEM;
    if (ret == 0 && s->nexperiments) {
        fputs("{\n    \"format_version\": \"2\",\n", out->f);
        put_machine(out, s->experiment[0]);
        put_run(out, s->experiment[0]);
        put_test(out, (const unsigned char *)profile, size);
        fputs("}\n", out->f);
    }
    free(profile);
    return ret;
}
