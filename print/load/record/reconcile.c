/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/reconcile.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "share/record.h"

enum {
    SLICE = 64, /* rows */
    WORKERS_MAX = 8,
};

/* The sums of a thread's records, in ns. */
struct sums {
    u64 user; /* hits in user mode */
    u64 system; /* hits in system mode; kernel hits only after replace() */
    u64 timer; /* the part of `system` of timers while the kernel sampled */
    u64 timer_hits; /* their number */
    u64 kernel; /* kernel hits */
    double factor; /* for the weights of kernel hits */
    int64_t residual_user;
    int64_t residual_system;
    u64 last; /* record time of the last residual */
    bool has_residual;
    u64 late; /* hits after the last residual */
    bool is_cut; /* the residual was changed: it differs from its records */
};

struct adding {
    const struct reconcile_fields *fields; /* by the record's number */
    u32 threads;
    u32 workers;
    struct reconcile_span span;
    /* Protects the fields below, but not sums[].late. Taken once per batch. */
    pthread_mutex_t lock;
    struct sums *sums; /* by thread id */
    int64_t other; /* ns: residuals of other kinds than RESIDUAL_UNATTRIBUTED */
    u32 kinds; /* see struct reconcile */
};

static struct reconcile_fields
fields_of(const struct schema_record *record)
{
    struct reconcile_fields f = {
        .mstate = schema_find_number(record, "mstate"),
        .weight = schema_find_number(record, "weight"),
        .time = schema_find_number(record, "time"),
        .kind = schema_find_number(record, "kind"),
        .user = schema_find_number(record, "user"),
        .system = schema_find_number(record, "system"),
    };

    f.clock = !strcmp(record->name, "clock") && f.time >= 0 && f.mstate >= 0 &&
              f.weight >= 0;
    f.residual = !strcmp(record->name, "residual") && f.time >= 0 && f.kind >= 0 &&
                 f.user >= 0 && f.system >= 0;
    return f;
}

static void
add_residual(struct sums *to, int64_t *other, const struct reconcile_fields *f,
             const u64 *row)
{
    if (row[f->kind] != RESIDUAL_UNATTRIBUTED) {
        *other += (int64_t)(row[f->user] + row[f->system]);
        return;
    }
    to->residual_user += (int64_t)row[f->user];
    to->residual_system += (int64_t)row[f->system];
    if (!to->has_residual || row[f->time] > to->last)
        to->last = row[f->time];
    to->has_residual = true;
}

static bool
is_within(struct reconcile_span span, u64 tick)
{
    return tick >= span.from && tick < span.to;
}

static void
add_hit(const struct adding *a, struct sums *to, const struct reconcile_fields *f,
        const u64 *row)
{
    u64 weight = row[f->weight];

    if (row[f->mstate] == MSTATE_KERNEL) {
        to->kernel += weight;
        return;
    }
    *(row[f->mstate] ? &to->system : &to->user) += weight;
    if (row[f->mstate] && is_within(a->span, row[f->time])) {
        to->timer += weight;
        to->timer_hits++;
    }
}

/* Add the sums of a batch to those of its thread. */
static void
add_sums(struct sums *to, const struct sums *batch)
{
    to->user += batch->user;
    to->system += batch->system;
    to->timer += batch->timer;
    to->timer_hits += batch->timer_hits;
    to->kernel += batch->kernel;
    to->residual_user += batch->residual_user;
    to->residual_system += batch->residual_system;
    if (batch->has_residual && (!to->has_residual || batch->last > to->last))
        to->last = batch->last;
    to->has_residual |= batch->has_residual;
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct adding *a = context;
    const struct reconcile_fields *f = &a->fields[batch->record->number];
    bool counts = batch->thread <= a->threads && (f->clock || f->residual);
    struct sums sums = { 0 };
    int64_t other = 0;

    for (u32 i = 0; i < batch->count && counts; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;

        if (f->clock)
            add_hit(a, &sums, f, row);
        else
            add_residual(&sums, &other, f, row);
    }
    pthread_mutex_lock(&a->lock);
    a->kinds |= 1u << batch->record->number;
    a->other += other;
    if (counts)
        add_sums(&a->sums[batch->thread], &sums);
    pthread_mutex_unlock(&a->lock);
}

/* Sums up `late` in a second pass, when the time of each last residual is known. */
static void
on_late_batch(void *context, const struct batch *batch)
{
    struct adding *a = context;
    const struct reconcile_fields *f = &a->fields[batch->record->number];
    struct sums *to;
    u64 late = 0;

    if (batch->thread > a->threads || !f->clock)
        return;
    to = &a->sums[batch->thread];
    for (u32 i = 0; i < batch->count && to->has_residual; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;

        if (row[f->time] > to->last)
            late += row[f->weight];
    }
    __atomic_fetch_add(&to->late, late, __ATOMIC_RELAXED);
}

/* Set *row to how the thread's records must be changed. Returns 1 if they must be. */
static bool
settle(const struct sums *s, struct reconcile_row *row)
{
    int64_t user = s->residual_user, system = s->residual_system;
    u64 over = user + system < 0 ? (u64)-(user + system) : 0;
    u64 less_system = over < s->system ? over : s->system, less_user;

    row->has_kernel = s->kernel != 0;
    row->replaced = s->kernel ? s->timer_hits : 0;
    row->kernel = s->factor;
    row->scaled = false;
    row->user = row->system = 1;
    row->last = UINT64_MAX; /* do not change the residuals */
    if (!s->has_residual || (user >= 0 && system >= 0 && !s->is_cut))
        return row->has_kernel;
    over -= less_system;
    less_user = over < s->user ? over : s->user;
    reconcile_rest(&user, &system);
    row->scaled = less_system || less_user;
    row->user = s->user ? (double)(s->user - less_user) / (double)s->user : 1;
    row->system = s->system ? (double)(s->system - less_system) / (double)s->system : 1;
    row->last = s->last;
    row->residual_user = (u64)user;
    row->residual_system = (u64)system;
    return true;
}

/*
 * Replace hits of timers by kernel hits, and set their factor. If the two sums then
 * differ, subtract the difference from the residual, or add it.
 */
static void
replace(struct sums *s)
{
    int64_t rest = s->residual_user + s->residual_system;
    u64 have = s->kernel, want = have;

    if (!have)
        return;
    if (have > s->timer && s->has_residual) {
        u64 most = s->timer + (rest > 0 ? (u64)rest : 0);

        want = have < most ? have : most;
    } else if (have <= s->timer) {
        want = s->timer < 2 * have ? s->timer : 2 * have;
    }
    s->factor = (double)want / (double)have;
    s->system += want - s->timer;
    if (want == s->timer || !s->has_residual)
        return;
    s->residual_system -= (int64_t)(want - s->timer);
    s->is_cut = true;
}

/* The CPU time of a thread by its hits and its residual together. */
static int64_t
explained(const struct sums *s)
{
    int64_t sum = (int64_t)(s->user + s->system);

    sum += s->residual_user + s->residual_system;
    return sum > 0 ? sum : 0;
}

/*
 * Reduce the thread's residual by `over` ns, but at most by the sum of its late hits
 * and by `limit`. Returns the part of `over` that remains.
 */
static int64_t
cut_late(struct sums *s, int64_t over, int64_t limit)
{
    int64_t cut = limit < over ? limit : over;

    if (cut > (int64_t)s->late)
        cut = (int64_t)s->late;
    if (cut <= 0)
        return over;
    s->residual_user -= cut;
    s->late -= (u64)cut;
    s->is_cut = true;
    return over - cut;
}

/*
 * A hit after the last residual of its thread stands for a whole interval of the clock,
 * but the residual may include a part of that interval. If the threads together then
 * have more CPU time than the process, reduce the residuals of threads with such hits:
 * first down to 0; then below, which settle() takes from their hits. 0 or -ENOMEM.
 */
static int
settle_late(struct adding *a, const struct record_source *source, u64 process)
{
    struct record_sink sink = { on_late_batch, a, false };
    int64_t over = a->other - (int64_t)process;
    int ret;

    for (u32 id = 0; id <= a->threads; id++)
        over += explained(&a->sums[id]);
    if (process == UINT64_MAX || over <= 0)
        return 0;
    ret = scan_run(source, &sink, a->workers, NULL);
    for (u32 id = 0; id <= a->threads && ret == 0; id++) {
        struct sums *s = &a->sums[id];

        over = cut_late(s, over, s->residual_user + s->residual_system);
    }
    for (u32 id = 0; id <= a->threads && ret == 0; id++)
        over = cut_late(&a->sums[id], over, INT64_MAX);
    return ret;
}

/*
 * Threads that were killed by a signal have no residual. Together they get the CPU time
 * of the process that no other thread explains. Returns 1 if that is less than their
 * hits; then *row is how to reduce them. Else 0.
 */
static bool
settle_killed(const struct adding *a, u64 process, struct reconcile_row *row)
{
    struct sums killed = { .has_residual = true };
    int64_t rest = (int64_t)process - a->other;

    for (u32 id = 0; id <= a->threads; id++) {
        const struct sums *s = &a->sums[id];

        if (s->has_residual) {
            rest -= explained(s);
        } else {
            killed.user += s->user;
            killed.system += s->system;
        }
    }
    rest = (rest > 0 ? rest : 0) - (int64_t)(killed.user + killed.system);
    if (process == UINT64_MAX || rest >= 0)
        return false;
    killed.residual_system = rest;
    return settle(&killed, row);
}

static int
make_rows(struct reconcile *out, const struct adding *a, u64 process)
{
    struct reconcile_row *row = malloc(((size_t)a->threads + 1) * sizeof(*row)), killed;
    int is_less = settle_killed(a, process, &killed);
    u32 count = 0;

    if (!row)
        return -ENOMEM;
    for (u32 id = 0; id <= a->threads; id++) {
        if (is_less && !a->sums[id].has_residual) {
            row[count] = killed;
            row[count].has_kernel = a->sums[id].kernel != 0;
            row[count].kernel = a->sums[id].factor;
            row[count].replaced = a->sums[id].kernel ? a->sums[id].timer_hits : 0;
            row[count++].thread = id;
            continue;
        }
        row[count].thread = id;
        count += (u32)settle(&a->sums[id], &row[count]);
    }
    out->row = row;
    out->count = count;
    return 0;
}

/*
 * Read the file with several threads. If it is damaged, read it once more with one
 * thread, so that problems are always listed in the order of the file.
 */
static int
read_sums(struct adding *a, const struct record_source *source)
{
    struct record_sink sink = { on_batch, a, false };
    struct problems problems = { .lock = PTHREAD_MUTEX_INITIALIZER };
    struct record_source quiet = *source;
    int ret;

    quiet.problems = &problems;
    ret = scan_run(&quiet, &sink, a->workers, NULL);
    if (ret == 0 && problems.count) {
        memset(a->sums, 0, ((size_t)a->threads + 1) * sizeof(*a->sums));
        a->other = 0;
        a->workers = 1;
        ret = scan_run(source, &sink, 1, NULL);
    }
    problems_free(&problems);
    return ret;
}

static int
make(struct reconcile *out, const struct record_source *source, u32 threads,
     u64 process)
{
    struct adding a = { .sums = calloc((size_t)threads + 1, sizeof(*a.sums)),
                        .fields = out->fields,
                        .threads = threads,
                        .workers = scan_workers(source, WORKERS_MAX),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .span = out->span };
    int ret = a.sums ? read_sums(&a, source) : -ENOMEM;

    for (u32 id = 0; a.sums && id <= threads; id++)
        replace(&a.sums[id]);
    if (ret == 0)
        ret = settle_late(&a, source, process);
    if (ret == 0)
        ret = make_rows(out, &a, process);
    out->kinds = a.kinds;
    free(a.sums);
    return ret;
}

const struct reconcile *
reconcile_once(struct reconcile *reconcile, const struct record_source *source,
               u32 threads, u64 process, struct reconcile_span span)
{
    if (source->schema->number != FILE_profile)
        return NULL;
    reconcile->span.from = span.from >> source->schema->time_shift;
    reconcile->span.to = span.to >> source->schema->time_shift;
    for (u32 i = 0; i < SCHEMA_KINDS && !reconcile->made; i++)
        reconcile->fields[i] = fields_of(&source->schema->record[i]);
    if (!reconcile->made)
        reconcile->made = make(reconcile, source, threads, process) == 0;
    return reconcile->count ? reconcile : NULL;
}

bool
reconcile_lacks(const struct reconcile *reconcile, const struct schema_record *record)
{
    return reconcile->made && !(reconcile->kinds & 1u << record->number);
}

void
reconcile_free(struct reconcile *reconcile)
{
    free(reconcile->row);
    *reconcile = (struct reconcile){ 0 };
}

static int
by_thread(const void *key, const void *row)
{
    u32 a = *(const u32 *)key, b = ((const struct reconcile_row *)row)->thread;

    return a < b ? -1 : a > b;
}

u64
reconcile_replaced(const struct reconcile *reconcile, u32 thread)
{
    const struct reconcile_row *row = NULL;

    if (reconcile->count)
        row = bsearch(&thread, reconcile->row, reconcile->count, sizeof(*row),
                      by_thread);
    return row ? row->replaced : 0;
}

static void
change_hit(const struct reconcile_row *how, const struct reconcile_fields *f, u64 *row)
{
    bool kernel = row[f->mstate] == MSTATE_KERNEL;
    double factor = kernel ? how->kernel : 1;

    if (kernel)
        row[f->mstate] = MSTATE_SYSTEM;
    if (how->scaled)
        factor *= row[f->mstate] ? how->system : how->user;
    if (kernel || how->scaled)
        row[f->weight] = (u64)((double)row[f->weight] * factor);
}

static void
change(const struct reconcile_row *how, const struct reconcile_fields *f, u64 *row)
{
    bool last;

    if (f->clock) {
        change_hit(how, f, row);
        return;
    }
    if (row[f->kind] != RESIDUAL_UNATTRIBUTED || how->last == UINT64_MAX)
        return;
    last = row[f->time] == how->last;
    row[f->user] = last ? how->residual_user : 0;
    row[f->system] = last ? how->residual_system : 0;
}

/* Is the hit in `row` replaced by kernel hits? */
static bool
is_replaced(const struct reconcile *reconcile, const struct reconcile_row *how,
            const struct reconcile_fields *f, const u64 *row)
{
    return how->has_kernel && row[f->mstate] == MSTATE_SYSTEM &&
           is_within(reconcile->span, row[f->time]);
}

/* Change a batch and pass it on in slices, since rows may be long. */
static void
pass_changed(const struct reconcile *reconcile, const struct reconcile_row *how,
             const struct batch *batch, const struct record_sink *sink)
{
    u64 rows[SLICE * SCHEMA_FIELDS_MAX];
    const struct reconcile_fields *f = &reconcile->fields[batch->record->number];
    u32 fields = batch->record->nfields;
    struct batch changed = *batch;

    changed.row = rows;
    changed.count = 0;
    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (size_t)i * fields;
        u64 *to = rows + (size_t)changed.count * fields;

        if (f->clock && is_replaced(reconcile, how, f, row))
            continue;
        memcpy(to, row, fields * sizeof(*to));
        change(how, f, to);
        if (++changed.count < SLICE)
            continue;
        sink->batch(sink->context, &changed);
        changed.count = 0;
    }
    if (changed.count)
        sink->batch(sink->context, &changed);
}

void
reconcile_batch(const struct reconcile *reconcile, const struct batch *batch,
                const struct record_sink *sink)
{
    const struct reconcile_row *how =
        bsearch(&batch->thread, reconcile->row, reconcile->count,
                sizeof(*reconcile->row), by_thread);
    const struct reconcile_fields *f = &reconcile->fields[batch->record->number];

    if (how && (f->clock || f->residual))
        pass_changed(reconcile, how, batch, sink);
    else
        sink->batch(sink->context, batch);
}
