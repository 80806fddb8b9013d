/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/omp/omp_state.h"

#include "collector/sig/guard.h"
#include "collector/sig/join.h"
#include "collector/sig/space.h"

enum {
    NS = 1000000000,
    ROOM = 192, /* most bytes of a record */
};

static const u64 node_mix = 0x9e3779b97f4a7c15ull;

/*
 * Log an event when the first sums are recorded: by it er_print knows that the process
 * has some.
 */
static void
log_first(void)
{
    static u32 told;
    u32 pid = *trace_services->pid;

    if (__atomic_exchange_n(&told, pid, __ATOMIC_RELAXED) != pid)
        trace_services->event(EVENT_openmp, NULL, NULL, NULL, 0);
}

struct omp_state *
omp_state_of(struct thread *t)
{
    struct omp_state *st = t->omp;

    if (ER_LIKELY(st != NULL))
        return st;
    st = sys_map(sizeof(*st));
    if (!st)
        return NULL;
    t->omp_close = omp_state_close;
    t->omp = st;
    log_first();
    return st;
}

/*
 * Begin a new record. Signals are blocked, so that no handler jumps away before the
 * space has its header.
 */
static void *
new_record(struct thread *t, struct omp_state *st, u32 record, u32 node, u64 now)
{
    struct chunk_writer *w = &st->writer;
    struct rec_preg region = { .time = now, .node = node };
    struct rec_otask task = { .time = now, .node = node };
    struct rec_oloop loop = { .time = now, .node = node };
    u64 mask = guard_enter();
    unsigned char *p = writer_begin(w, FILE_profile, t->id, now, ROOM), *end;
    void *fields = NULL;

    if (p && record == REC_preg) {
        end = rec_put_preg(&w->codec, p, &region);
        fields = end - sizeof(struct omp_sums);
        writer_commit(w, end);
    } else if (p && record == REC_otask) {
        end = rec_put_otask(&w->codec, p, &task);
        fields = end - sizeof(struct omp_task_sums);
        writer_commit(w, end);
    } else if (p) {
        end = rec_put_oloop(&w->codec, p, &loop);
        fields = end - sizeof(struct omp_loop_sums);
        writer_commit(w, end);
    }
    guard_leave(mask);
    return fields;
}

static int
is_recording(void)
{
    return !(__atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED) & CTL_SILENT);
}

static u64
second(void)
{
    u64 rate = trace_services->params->tsc;

    return rate ? rate : NS;
}

static void *
fields_of(struct thread *t, u32 record, u64 word, u64 now)
{
    struct omp_state *st = omp_state_of(t);
    u32 node = join_node(word);
    struct omp_place *place;

    if (!st || !node || !space_ctl || !is_recording())
        return NULL;
    place = &st->place[((node ^ (u64)record << 32) * node_mix >> 40) % OMP_PLACES];
    if (ER_LIKELY(place->node == node && place->record == record &&
                  place->chunk == st->writer.chunk && place->fields &&
                  place->seq == st->writer.seq &&
                  trace_between(place->began, now) < second()))
        return place->fields;
    *place = (struct omp_place){ .node = node, .record = record, .began = now };
    place->fields = new_record(t, st, record, node, now);
    place->chunk = st->writer.chunk;
    place->seq = st->writer.seq;
    return place->fields;
}

struct omp_sums *
omp_sums_of(struct thread *t, u64 word, u64 now)
{
    return fields_of(t, REC_preg, word, now);
}

struct omp_task_sums *
omp_task_sums_of(struct thread *t, u64 word, u64 now)
{
    return fields_of(t, REC_otask, word, now);
}

struct omp_loop_sums *
omp_loop_sums_of(struct thread *t, u64 word, u64 now)
{
    return fields_of(t, REC_oloop, word, now);
}

u64
omp_asleep(u64 since, u64 now, u64 cpu, u64 own)
{
    u64 used = cpu ? trace_between(cpu, omp_cpu()) : 0, off;

    if (!cpu)
        return 0;
    used = (u64)((unsigned __int128)used * second() / NS);
    off = trace_between(used, trace_between(since, now));
    return off < own ? off : own;
}

/*
 * When the pending region ended; `now` if it has not. If later regions have overwritten
 * the time, `since`.
 */
static u64
end_of(const struct omp_pending *p, u64 since, u64 now)
{
    u32 count = __atomic_load_n(&p->end->count, __ATOMIC_ACQUIRE);
    u64 tick;

    if (count == p->at)
        return now;
    tick = __atomic_load_n(&p->end->tick[(p->at + 1) % OMP_ENDS], __ATOMIC_RELAXED);
    if (__atomic_load_n(&p->end->count, __ATOMIC_ACQUIRE) - p->at >= OMP_ENDS)
        return since;
    return tick;
}

/*
 * Ticks in which the thread had a processor during the wait: runtimes spin before they
 * sleep.
 */
static u64
awake(const struct omp_pending *p, u64 now)
{
    u64 all = trace_between(p->since, now);

    return trace_between(omp_asleep(p->since, now, p->cpu, all), all);
}

void
omp_settle_pending(struct thread *t, struct omp_state *st)
{
    const struct omp_pending p = st->pending;
    u64 since = __atomic_exchange_n(&st->pending.since, 0, __ATOMIC_ACQ_REL);
    u64 now = trace_before();
    struct omp_sums *sums;
    u64 own;

    if (!since)
        return;
    own = trace_between(st->inner, trace_between(since, end_of(&p, since, now)));
    sums = omp_sums_of(t, p.word, now);
    if (sums)
        sums->wait_end += own;
    if (sums && p.cpu && t == trace_thread())
        sums->asleep += trace_between(awake(&p, now), own);
    st->inner = 0;
}

void
omp_state_close(struct thread *t, int ends)
{
    struct omp_state *st = t->omp;

    omp_settle(t, st);
    if (!ends)
        return;
    writer_seal(&st->writer, FILE_profile);
    t->omp = NULL;
    sys_unmap(st, sizeof(*st));
}
