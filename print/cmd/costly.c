/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/costly.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/title.h"
#include "print/model/filter/filter.h"
#include "print/model/io/io.h"
#include "print/model/region/costly.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frametext.h"
#include "print/model/sync/locks.h"
#include "share/iocall.h"
#include "share/mpicall.h"
#include "share/record.h"

enum {
    ENOUGH = 50,    /* percent of the excess that reasons must explain */
    WORTH = 15,     /* percent: smaller reasons are not named */
    OWN = 10,       /* percent of the excess that is its own making at least */
    HITS = 2,       /* hits of a clock that suffice to say where a thread ran */
    NEARLY = 99,    /* percent of the time that are shown as all of it */
    ABOUT = 50,     /* slack of more than 1/ABOUT of the time is shown as "about" */
    SHOWN = 20,     /* rows, unless there is a limit */
};

struct view {
    struct shell *sh;
    struct table *t;
    struct costlies all;
    struct io io; /* names of files, once they are needed */
    bool has_io;
};

/* A sentence that is being written. */
struct why {
    struct view *v;
    const struct costly *c;
    FILE *f;
};

static const char *
unit_of(double ns, double *scale)
{
    *scale = ns >= 1e9 ? 1e9 : ns >= 1e6 ? 1e6 : 1e3;
    return ns >= 1e9 ? "s" : ns >= 1e6 ? "ms" : "us";
}

/* Write "3.1 of 3.4 ms"; "3.4 ms" if the reason is all of the time. */
static void
put_share(struct why *w, double ns)
{
    double took = (double)w->c->took, scale;
    const char *unit = unit_of(took, &scale);

    ns = ns < took ? ns : took;
    if (ns * 100 >= took * NEARLY)
        fprintf(w->f, "%.1f %s", took / scale, unit);
    else
        fprintf(w->f, "%.1f of %.1f %s", ns / scale, took / scale, unit);
}

static void
put_times(struct why *w, double times)
{
    if (times < 2)
        fputs("once", w->f);
    else
        fprintf(w->f, "%.0f times", times);
}

/*
 * Write " in NAME", the function of a stack in the experiment; nothing if it is not
 * known.
 */
static void
put_function(struct why *w, const char *before, u32 node)
{
    struct session *session = w->v->sh->session;
    struct stack_frame frame;
    u32 own;

    if (node && stacks_of(session, w->c->experiment, node, &own) == 0 &&
        frametext_place(session, own, &frame) == 0)
        fprintf(w->f, "%s%s", before, function_name(session, frame.func));
}

static void
put_lock(struct why *w, const struct costly_part *p)
{
    bool lock = p->what == SYNC_MUTEX || p->what == SYNC_WRITE || p->what == SYNC_SPIN;

    fprintf(w->f, ": %s %s", lock ? "lock" : lock_kind_name(p->what),
            title_lock(w->v->sh, w->v->t, w->c->experiment, p->what, p->object));
    if (p->count > 1) {
        fputs(", ", w->f);
        put_times(w, (double)p->count);
    }
    if (!p->holder)
        return;
    fprintf(w->f, ", %s by thread %u", lock ? "held" : "let go", p->holder);
    put_function(w, " in ", p->holder_node);
}

static void
put_io(struct why *w, const struct costly_part *p)
{
    const struct io_open *open;

    if (!w->v->has_io)
        w->v->has_io = io_get(w->v->sh->session, IO_FILES, &w->v->io) == 0;
    open = w->v->has_io && p->object
               ? io_find(&w->v->io, w->c->experiment, (u32)p->object)
               : NULL;
    fprintf(w->f, ": %s", iocall_name(p->what));
    if (open)
        fprintf(w->f, " of %.*s", (int)open->name.len, open->name.s);
    if (p->count > 1) {
        fputs(", ", w->f);
        put_times(w, (double)p->count);
    }
    if (p->bytes)
        fprintf(w->f, ", %llu bytes", (unsigned long long)p->bytes);
}

static const char *const states[MSTATE_COUNT] = {
    [MSTATE_LOCK] = "for a lock",      [MSTATE_IO] = "for input or output",
    [MSTATE_SLEEP] = "for time to pass, a signal or a child",
    [MSTATE_FAULT] = "for pages to be read", [MSTATE_EVENT] = "for an event",
};

static void
put_off(struct why *w, const struct costly_part *p)
{
    if (p->what == MSTATE_WAIT) {
        fputs(" without a processor", w->f);
        return;
    }
    if (p->what == MSTATE_STOP) {
        fputs(": the process was stopped", w->f);
        return;
    }
    fprintf(w->f, ": waiting %s",
            p->what < MSTATE_COUNT && states[p->what] ? states[p->what] : "");
    put_function(w, " in ", p->node);
}

static void
put_part(struct why *w, const struct costly_part *p)
{
    put_share(w, (double)p->ns);
    if (p->kind == COSTLY_LOCK)
        put_lock(w, p);
    else if (p->kind == COSTLY_IO)
        put_io(w, p);
    else if (p->kind == COSTLY_MPI)
        fprintf(w->f, ": %s", mpicall_name(p->what));
    else
        put_off(w, p);
}

/* The kinds of reasons for the time of an instance; the longest reasons are named. */
enum reason_kind {
    REASON_PART,
    REASON_IDLE,   /* off a processor, by the thread's own account */
    REASON_FAULTS,
    REASON_SAMPLE,
    REASON_CPU,    /* on a processor, and no more is known */
    REASONS,
};

struct reason {
    enum reason_kind kind;
    double ns;
    const struct costly_part *part;
};

/*
 * The longest call or wait; if `off`, the longest state in which the thread did not
 * run. *all: their time in total. NULL = there are none.
 */
static const struct costly_part *
longest(const struct costly *c, bool off, double *all)
{
    const struct costly_part *top = NULL;

    *all = 0;
    for (u32 i = 0; i < c->parts; i++) {
        const struct costly_part *p = &c->part[i];

        if (p->kind == COSTLY_SAMPLE || (p->kind == COSTLY_OFF) != off)
            continue;
        top = top ? top : p;
        *all += (double)p->ns;
    }
    return top;
}

/*
 * The part of samples (in the kernel, if `kernel`) with most time; *count: the hits of
 * all such parts. NULL = there are none.
 */
static const struct costly_part *
top_sample(const struct costly *c, bool kernel, u64 *count)
{
    const struct costly_part *top = NULL;

    *count = 0;
    for (u32 i = 0; i < c->parts; i++) {
        const struct costly_part *p = &c->part[i];

        if (p->kind != COSTLY_SAMPLE || (kernel && !p->what))
            continue;
        *count += p->count;
        top = top ? top : p;
    }
    return top;
}

/*
 * Find reasons for time off the processor. Calls and waits come before the mere fact
 * that the thread did not run, as they are more specific.
 */
static u32
find_waits(const struct costly *c, struct reason *reason)
{
    double traced, off, idle;
    const struct costly_part *part = longest(c, false, &traced);
    const struct costly_part *state = longest(c, true, &off);
    u32 n = 0;

    if (part)
        reason[n++] = (struct reason){ REASON_PART, (double)part->ns, part };
    idle = c->known ? (double)c->took - c->used[USE_CPU] - traced : 0;
    if (state && (double)state->ns > traced)
        reason[n++] = (struct reason){ REASON_PART, (double)state->ns, state };
    else if (idle > 0)
        reason[n++] = (struct reason){ REASON_IDLE, idle, NULL };
    return n;
}

/*
 * Find reasons for CPU time. It is known between the readings before and after the
 * instance; time that may be outside the instance is subtracted.
 */
static u32
find_work(const struct view *v, const struct costly *c, struct reason *reason)
{
    double cpu = c->known ? c->used[USE_CPU] - c->slack : 0;
    double faults = c->known ? c->used[USE_MINFLT] * v->all.fault_ns : 0;
    const struct costly_part *top;
    u32 n = 0;
    u64 hits;

    faults = faults < cpu ? faults : cpu;
    if (faults > 0)
        reason[n++] = (struct reason){ REASON_FAULTS, faults, NULL };
    top = top_sample(c, false, &hits);
    if (top && hits >= HITS && faults * 2 < cpu)
        reason[n++] = (struct reason){ REASON_SAMPLE, (double)top->ns, top };
    else if (cpu > faults)
        reason[n++] = (struct reason){ REASON_CPU, cpu - faults, NULL };
    return n;
}

static void
put_idle(struct why *w, double ns)
{
    const struct costly *c = w->c;

    put_share(w, ns);
    if (c->used[USE_MAJFLT] >= 1) {
        fprintf(w->f, " off a processor: %.0f pages read from a file or swap space",
                c->used[USE_MAJFLT]);
        return;
    }
    fputs(c->used[USE_SWITCHES] >= 1 ? " off a processor, waited "
                                     : " without a processor", w->f);
    if (c->used[USE_SWITCHES] >= 1)
        put_times(w, c->used[USE_SWITCHES]);
    if (c->used[USE_PREEMPTED] >= 1) {
        fputs(", preempted ", w->f);
        put_times(w, c->used[USE_PREEMPTED]);
    }
}

static void
put_faults(struct why *w)
{
    const struct costly_part *top;
    u64 count;

    fprintf(w->f, "%s%.0f pages touched first",
            w->c->slack * ABOUT > (double)w->c->took ? "about " : "",
            w->c->used[USE_MINFLT]);
    top = top_sample(w->c, true, &count);
    if (top)
        put_function(w, " in ", top->node);
}

static void
put_reason(struct why *w, const struct reason *r)
{
    if (r->kind == REASON_PART) {
        put_part(w, r->part);
    } else if (r->kind == REASON_IDLE) {
        put_idle(w, r->ns);
    } else if (r->kind == REASON_FAULTS) {
        put_faults(w);
    } else {
        put_share(w, r->ns);
        fputs(" on a processor", w->f);
        if (r->kind == REASON_SAMPLE)
            put_function(w, " in ", r->part->node);
    }
}

/* Is the reason more specific than that the thread ran, or did not run? */
static bool
is_explained(const struct costly *c, const struct reason *r)
{
    if (r->kind == REASON_IDLE)
        return c->used[USE_SWITCHES] < 1 || c->used[USE_MAJFLT] >= 1;
    return r->kind != REASON_CPU;
}

static int
compare_reasons(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;

    return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : 0;
}

/* Did the thread lack a processor? It does not cause that itself. */
static bool
is_outer(const struct costly *c, const struct reason *r)
{
    if (r->kind == REASON_PART)
        return r->part->kind == COSTLY_OFF && r->part->what == MSTATE_WAIT;
    return r->kind == REASON_IDLE && c->used[USE_SWITCHES] < 1;
}

/*
 * The ns from which on a reason is named: a share of the excess that the thread itself
 * causes.
 */
static double
least_worth(const struct costly *c, const struct reason *reason, u32 count)
{
    double own = (double)c->excess;

    for (u32 i = 0; i < count; i++)
        if (is_outer(c, &reason[i]))
            own -= reason[i].ns;
    if (own < (double)c->excess * OWN / 100)
        own = (double)c->excess * OWN / 100;
    return own * WORTH / 100;
}

static void
put_why(struct why *w)
{
    struct reason reason[REASONS];
    double excess = (double)w->c->excess, known = 0, least;
    u32 count = find_waits(w->c, reason), said = 0;

    count += find_work(w->v, w->c, reason + count);
    qsort(reason, count, sizeof(*reason), compare_reasons);
    least = least_worth(w->c, reason, count);
    for (u32 i = 0; i < count; i++)
        if (is_explained(w->c, &reason[i]) && reason[i].ns >= least)
            known += reason[i].ns;
    if (known * 100 < excess * ENOUGH)
        fputs("not explained", w->f);
    for (u32 i = 0; i < count; i++) {
        if (reason[i].ns < least || (!is_explained(w->c, &reason[i]) &&
                                     reason[i].ns * 100 < excess * WORTH))
            continue;
        fputs(said++ ? "; " : known * 100 < excess * ENOUGH ? ": " : "", w->f);
        put_reason(w, &reason[i]);
    }
}

/* The sentence in the table's memory. */
static const char *
why_text(struct view *v, const struct costly *c)
{
    struct why w = { v, c, NULL };
    char *text = NULL;
    size_t size;
    const char *kept = "";

    w.f = open_memstream(&text, &size);
    if (!w.f)
        return "";
    put_why(&w);
    if (!fclose(w.f))
        kept = arena_strdup(&v->t->arena, text);
    free(text);
    return kept;
}

static u32
thread_id(const struct view *v, const struct costly *c)
{
    const struct threads *threads = &v->sh->session->experiment[c->experiment]->threads;

    return c->slot ? threads->row[c->slot - 1].id : 0;
}

static void
fill(struct view *v)
{
    struct table *t = v->t;
    u32 took = table_column(t, "took", "Took", "ms", COL_REAL, 0);
    u32 usual = table_column(t, "usual", "Usual", "ms", COL_REAL, 0);
    u32 around = table_column(t, "around", "Of", "ms", COL_REAL, COL_SPARSE);
    u32 since = table_column(t, "since", "From", "sec.", COL_NS, 0);
    u32 experiment = table_column(t, "experiment", "", "", COL_COUNT, COL_DATA_ONLY);
    u32 thread = table_column(t, "thread", "Thread", "", COL_COUNT, 0);
    u32 number = table_column(t, "number", "Number", "", COL_COUNT, COL_SPARSE);
    u32 path = table_column(t, "path", "Region", "", COL_TEXT, COL_BEGINNING);
    u32 why = table_column(t, "why", "Why", "", COL_TEXT, 0);

    t->nleft_out = v->all.left_out;
    for (u32 i = 0; i < v->all.count; i++) {
        const struct costly *c = &v->all.row[i];
        char *name = filter_region(v->sh->session, c->region);

        table_row(t, 0);
        table_real(t, took, (double)c->took / 1e6);
        table_real(t, c->inside ? around : usual, (double)c->usual / 1e6);
        table_number(t, since, c->since);
        table_number(t, experiment, c->experiment + 1);
        table_number(t, thread, thread_id(v, c));
        if (c->numbered)
            table_number(t, number, (u64)c->number);
        if (c->text)
            table_format(t, path, "%s: %s", name ? name : "", c->text);
        else
            table_text(t, path, name);
        table_text(t, why, why_text(v, c));
        free(name);
    }
}

int
costly_show(struct shell *sh, const char *command)
{
    struct view v = { .sh = sh };
    int ret = costly_get(sh->session, sh->limit ? (u32)sh->limit : SHOWN, &v.all);

    if (ret == -ENOENT)
        return shell_fail(sh, "the program has named no regions: it does so by calls "
                              "of libcollector.h");
    if (ret < 0)
        return shell_fail_errno(sh, ret, "costly steps cannot be found");
    v.t = table_new(command, LAYOUT_COLUMNS);
    table_title(v.t, "Steps that cost far more than others of their region, or are "
                     "large and unusual in another one");
    fill(&v);
    costly_free(&v.all);
    if (v.has_io)
        io_free(&v.io);
    return shell_show(sh, v.t);
}
