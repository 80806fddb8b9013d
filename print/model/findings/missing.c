/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports what the experiments lack, and why; and which options would have recorded
 * more.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/symbols/object.h"
#include "print/model/views/ompinside.h"
#include "print/model/unrecorded.h"
#include "print/model/views/view.h"
#include "share/values.h"

enum {
    WARNINGS_SHOWN = 3,
    WARNINGS_KEPT = 64,  /* different sentences; further warnings are only counted */
    PSEUDO_LEAST = 5,    /* percent of the CPU time: less without a name is ignored */
    SYSTEM_LEAST = 30,   /* percent of the CPU time in the kernel: -K is proposed */
};

struct warning {
    const char *sentence;
    u32 experiments;
};

static void
count_warning(struct warning *w, u32 *count, u32 *rest, const char *sentence)
{
    for (u32 i = 0; i < *count; i++)
        if (!strcmp(w[i].sentence, sentence)) {
            w[i].experiments++;
            return;
        }
    if (*count == WARNINGS_KEPT)
        ++*rest;
    else
        w[(*count)++] = (struct warning){ sentence, 1 };
}

/*
 * Is it to be told in a summary? That a process executed another program is not: its
 * blocks ended with it, and the command leaks tells of those that it held.
 */
static bool
is_told(const struct log_event_row *event)
{
    const char *why;

    if (strcmp(event->kind, "warning") && strcmp(event->kind, "error"))
        return false;
    if (strcmp(event->id, "heap_unknown"))
        return true;
    why = log_event_attr(event, "arg1");
    return !why || strcmp(why, ER_HEAP_EXEC);
}

/*
 * Report the experiments' warnings: each sentence once, with how many processes have
 * it.
 */
static void
add_warnings(const struct session *session, struct findings *f)
{
    struct warning w[WARNINGS_KEPT];
    u32 count = 0, rest = 0;

    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct log *log = &session->experiment[i]->log;

        for (u32 k = 0; k < log->nevents; k++)
            if (is_told(&log->event[k]))
                count_warning(w, &count, &rest, log->event[k].sentence);
    }
    for (u32 i = 0; i < count && i < WARNINGS_SHOWN; i++) {
        phrase_begin(f, FINDING_MISSING, "header");
        phrase_add(f, "%s", w[i].sentence);
        if (w[i].experiments > 1) {
            phrase_add(f, " (");
            phrase_add_count(f, w[i].experiments, "time", "times");
            phrase_add(f, ")");
        }
        phrase_add(f, ".");
    }
    if (count <= WARNINGS_SHOWN)
        return;
    phrase_begin(f, FINDING_MISSING, "header");
    phrase_add_count(f, count - WARNINGS_SHOWN + rest, "more warning.",
                     "more warnings.");
}

/*
 * Report why nothing but CPU time was recorded: the program was sampled from outside.
 */
static void
add_outside(const struct session *session, struct findings *f)
{
    for (u32 i = 0; i < session->nexperiments; i++) {
        const char *sentence = sections_outside(session->experiment[i]);

        if (!sentence)
            continue;
        phrase_begin(f, FINDING_MISSING, "header");
        phrase_add(f, "%s.", sentence);
        return;
    }
}

/* Report how many events threads could not record. */
static void
add_dropped(const struct session *session, struct findings *f)
{
    u64 seen = 0, dropped = 0;

    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct threads *t = &session->experiment[i]->threads;

        for (u32 k = 0; k < t->count; k++) {
            seen += t->row[k].seen;
            dropped += t->row[k].dropped;
            for (u32 n = 0; n < TRACE_COUNT; n++) {
                seen += t->row[k].trace_seen[n];
                dropped += t->row[k].trace_dropped[n];
            }
        }
    }
    if (!dropped)
        return;
    phrase_begin(f, FINDING_MISSING, "statistics");
    phrase_add_count(f, dropped, "event was", "events were");
    phrase_add(f, " seen but not recorded, of %" PRIu64 ": all sums lack them.", seen);
}

static void
add_unrecorded(const struct session *session, struct findings *f)
{
    u64 lost = 0;

    for (u32 i = 0; i < session->nexperiments; i++)
        lost += unrecorded_time(session, i);
    if (!lost)
        return;
    phrase_begin(f, FINDING_MISSING, "processes");
    phrase_add_time(f, lost);
    phrase_add(f, " of CPU time of its descendants are in no experiment: some are not "
           "recorded, or took long to end.");
}

/* Report CPU time in pseudo functions that stand for unknown code or callers. */
static void
add_pseudo(struct findings *f, const struct row *row, int64_t all)
{
    static const char *const what[FUNC_PSEUDO_COUNT] = {
        [FUNC_UNKNOWN] = "in code that belongs to no known object",
        [FUNC_TRUNCATED] = "in stacks whose root was not reached",
    };
    int64_t value = row->excl.v[METRIC_totalcpu];

    if (row->func >= FUNC_PSEUDO_COUNT || !what[row->func] ||
        value * 100 < all * PSEUDO_LEAST)
        return;
    phrase_begin(f, FINDING_MISSING, "functions");
    phrase_add_share(f, (double)value, (double)all);
    phrase_add(f, " of the CPU time, ");
    phrase_add_time(f, (u64)value);
    phrase_add(f, ", is %s.", what[row->func]);
}

/* Is the row for code of the object that has no symbol? */
static bool
is_stripped(struct session *session, const struct row *row, u32 object)
{
    return row->func >= FUNC_PSEUDO_COUNT && row->object == object &&
           *function_name(session, row->func) == '<' &&
           !function_is_hidden(session, row->func) &&
           !function_language(session, row->func);
}

/* Is that no file, but memory, into which a program has written code? */
static bool
is_made(const char *path)
{
    return *path != '[' && (*path != '/' || path[1] == '/');
}

static bool
has_java(const struct session *session)
{
    for (u32 i = 0; i < session->objects->count; i++)
        if (session->objects->object[i].java)
            return true;
    return false;
}

/*
 * Report the CPU time in code that was made at run time, and in what it calls: the
 * callees may have names, but nobody knows for whom they work. If there are several
 * objects of such code, which call one another, the time is that of the largest.
 */
static void
add_made(struct session *session, struct findings *f, const struct rows *rows)
{
    int64_t all = rows->total.incl.v[METRIC_totalcpu], value = 0;

    for (u32 i = 0; i < rows->count; i++) {
        const struct row *r = &rows->row[i];
        struct object_info info;

        object_get(session, r->object, &info);
        if (is_made(info.path) && is_stripped(session, r, r->object) &&
            r->incl.v[METRIC_totalcpu] > value)
            value = r->incl.v[METRIC_totalcpu];
    }
    if (value * 100 < all * PSEUDO_LEAST)
        return;
    phrase_begin(f, FINDING_MISSING, "functions");
    phrase_add_share(f, (double)value, (double)all);
    phrase_add(f, " of the CPU time is in code made at run time of which no name was "
           "reported, and in what it calls: ");
    if (has_java(session))
        phrase_add(f, "collect -j on asks a Java machine for them.");
    else
        phrase_add(f, "with collect -j jit some runtimes report theirs.");
}

/* Report the CPU time in code of an object that has no function names. */
static void
add_stripped(struct session *session, struct findings *f, const struct rows *rows,
             u32 object)
{
    int64_t all = rows->total.incl.v[METRIC_totalcpu], value = 0;
    struct object_info info;

    object_get(session, object, &info);
    if (is_made(info.path))
        return;
    for (u32 i = 0; i < rows->count; i++)
        if (is_stripped(session, &rows->row[i], object))
            value += rows->row[i].excl.v[METRIC_totalcpu];
    if (value * 100 < all * PSEUDO_LEAST)
        return;
    /* For the kernel, whose path begins with [, an event in the log says why. */
    if (*info.path == '[')
        return;
    phrase_begin(f, FINDING_MISSING, "functions");
    phrase_add_share(f, (double)value, (double)all);
    phrase_add(f, " of the CPU time is in functions of ");
    phrase_add_name(f, FIND_NAME, info.name);
    phrase_add(f, " without names: it is stripped; its debug symbols would name them.");
}

static void
add_openmp(struct session *session, struct findings *f, const struct rows *rows)
{
    const char *name = ompinside_object(session, rows);

    if (!name)
        return;
    phrase_begin(f, FINDING_MISSING, "functions");
    phrase_add(f, "Parallel regions of ");
    phrase_add_name(f, FIND_NAME, name);
    phrase_add(f, ": the OpenMP runtime is linked into it; linked as a shared library, "
                  "it is recorded.");
}

static int
add_nameless(struct session *session, struct findings *f)
{
    struct order order = { .by = ORDER_METRIC,
                           .metric = METRIC_totalcpu,
                           .flavour = FLAVOUR_EXCLUSIVE };
    struct rows rows;
    int64_t all;
    int ret;

    if (!sections_any(session, FILE_profile))
        return 0;
    ret = view_functions(session, &order, &rows);
    if (ret < 0)
        return ret;
    all = rows.total.incl.v[METRIC_totalcpu];
    for (u32 i = 0; i < rows.count && all > 0; i++)
        add_pseudo(f, &rows.row[i], all);
    for (u32 o = 1; o < object_count(session) && all > 0; o++)
        add_stripped(session, f, &rows, o);
    if (all > 0)
        add_made(session, f, &rows);
    add_openmp(session, f, &rows);
    rows_free(&rows);
    return 0;
}

/*
 * Add a kind of data that was not recorded, with the option that records it. *between:
 * what separates kinds; NULL before the first, which begins the sentence.
 */
static void
add_kind(struct findings *f, const char **between, const char *what, const char *option)
{
    if (!*between) {
        phrase_begin(f, FINDING_MISSING, "header");
        *between = "Not recorded, as it was not asked for: ";
    }
    phrase_add(f, "%s%s (collect %s)", *between, what, option);
    *between = ", ";
}

static bool
is_without_descendants(const struct session *session)
{
    for (u32 i = 0; i < session->nexperiments; i++)
        if (log_fact(&session->experiment[i]->log, "collect", "descendants"))
            return true;
    return false;
}

/* Is there much system time, but no stack of the kernel? */
static bool
lacks_kernel(const struct session *session)
{
    u64 user = 0, system = 0;

    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct experiment *e = session->experiment[i];

        if (log_fact(&e->log, "collect", "kernel"))
            return false;
        if (!e->has_account || sections_outside(e))
            continue;
        user += e->user;
        system += e->system;
    }
    return system * 100 > (user + system) * SYSTEM_LEAST;
}

/* Report what the user did not ask for, with the option that would record it. */
static void
add_unrequested(const struct session *session, struct findings *f)
{
    static const struct {
        enum er_file file;
        const char *what, *option;
    } kinds[] = {
        { FILE_profile, "CPU time", "-p on" },
        { FILE_heaptrace, "heap", "-H on" },
        { FILE_synctrace, "locks", "-s on" },
        { FILE_iotrace, "I/O", "-i on" },
    };
    const char *between = NULL;

    if (sections_all_outside(session))
        return;
    for (u32 i = 0; i < ER_COUNT(kinds); i++)
        if (!sections_any(session, kinds[i].file))
            add_kind(f, &between, kinds[i].what, kinds[i].option);
    if (sections_any(session, FILE_profile) && lacks_kernel(session))
        add_kind(f, &between, "the kernel's functions", "-K on");
    if (is_without_descendants(session))
        add_kind(f, &between, "the processes that it made", "-F on");
    if (between)
        phrase_add(f, ".");
}

int
sections_missing(struct session *session, struct findings *f)
{
    int ret;

    add_warnings(session, f);
    add_outside(session, f);
    add_dropped(session, f);
    add_unrecorded(session, f);
    ret = add_nameless(session, f);
    add_unrequested(session, f);
    return ret;
}
