/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/threads.h"

#include <stdlib.h>
#include <string.h>

/* Take the next row of the file threads, if there is room. */
static void
alloc_row(struct seen_thread *p)
{
    struct ctl_file *file = &space_ctl->file[FILE_threads];
    u64 none = 0, at, end, reserved;

    __atomic_compare_exchange_n(&file->next, &none, ER_THREAD_BYTES, 0,
                                __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    at = __atomic_fetch_add(&file->next, ER_THREAD_BYTES, __ATOMIC_ACQ_REL);
    end = at + ER_THREAD_BYTES;
    reserved = __atomic_load_n(&file->reserved, __ATOMIC_ACQUIRE);
    p->id = (u32)(at / ER_THREAD_BYTES);
    __atomic_fetch_add(&space_ctl->threads, 1, __ATOMIC_RELAXED);
    if (ctl_is_scarce(end, reserved))
        space_want(WANT_SPACE);
    if (end <= reserved)
        p->row = (void *)space_at(FILE_threads, at);
}

/* Is this the row of a thread with this id that lived at that time? */
static int
is_there(const struct rec_thread *row, u32 tid, u64 mono)
{
    u64 death = __atomic_load_n(&row->death, __ATOMIC_ACQUIRE);

    return __atomic_load_n(&row->id, __ATOMIC_ACQUIRE) && row->tid == tid &&
           row->birth <= mono && (!death || mono < death);
}

/* Find the row that the target has written for a thread, from the last row on. */
static struct rec_thread *
find_row(u32 tid, u64 mono)
{
    u64 end = __atomic_load_n(&space_ctl->file[FILE_threads].next, __ATOMIC_ACQUIRE);
    u64 reserved =
        __atomic_load_n(&space_ctl->file[FILE_threads].reserved, __ATOMIC_ACQUIRE);

    if (end > reserved)
        end = reserved;
    for (u64 at = end / ER_THREAD_BYTES; at-- > 1;) {
        struct rec_thread *row = (void *)space_at(FILE_threads, at * ER_THREAD_BYTES);

        if (row && is_there(row, tid, mono))
            return row;
    }
    return NULL;
}

static void end(struct thread_table *threads, struct seen_thread *p, u64 tick,
                u64 mono);

/*
 * Find or add a thread whose row the target has written. An earlier thread with the
 * same id has ended by then.
 */
static struct seen_thread *
get_beside(struct thread_table *threads, u32 tid, u64 mono)
{
    struct seen_thread **link = &threads->first, *p;
    struct rec_thread *row;

    while (*link && (*link)->tid != tid)
        link = &(*link)->next;
    p = *link;
    if (p && is_there(p->row, tid, mono))
        return p;
    row = find_row(tid, mono);
    if (p) {
        *link = p->next;
        end(threads, p, 0, mono);
    }
    p = row ? calloc(1, sizeof(*p)) : NULL;
    if (!p)
        return NULL;
    *p = (struct seen_thread){ .tid = tid, .id = row->id, .row = row };
    p->next = threads->first;
    threads->first = p;
    return p;
}

struct seen_thread *
threads_get(struct thread_table *threads, u32 tid, u64 mono)
{
    struct seen_thread *p = threads->first;

    if (threads->beside)
        return get_beside(threads, tid, mono);

    while (p && p->tid != tid)
        p = p->next;
    if (p)
        return p;
    p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    p->tid = tid;
    p->next = threads->first;
    threads->first = p;
    alloc_row(p);
    if (p->row) {
        p->row->tid = tid;
        p->row->birth = mono;
        p->row->source = SOURCE_PERF;
        __atomic_store_n(&p->row->id, p->id, __ATOMIC_RELEASE);
    }
    return p;
}

void
threads_name(struct seen_thread *p, const char *name, size_t len)
{
    struct er_name kernel = { .c = "" };

    if (!p->row)
        return;
    if (len >= sizeof(kernel.c))
        len = sizeof(kernel.c) - 1;
    memcpy(kernel.c, name, strnlen(name, len));
    p->row->name = kernel;
}

void
threads_hit(struct thread_table *threads, struct seen_thread *p,
            const struct rec_clock *clock)
{
    u32 flags = __atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED);
    unsigned char *at;

    threads->given += clock->weight;
    threads->system += clock->mstate == MSTATE_SYSTEM ? clock->weight : 0;
    if (flags & CTL_SILENT) {
        p->paused += clock->weight;
        return;
    }
    at = writer_begin(&p->writer, FILE_profile, p->id, clock->time, ER_RECORD_MAX);
    if (threads->beside) {
        if (at)
            writer_commit(&p->writer, rec_put_clock(&p->writer.codec, at, clock));
        p->row->kernel_seen += at != NULL;
        /*
         * If the hit was dropped here, nothing is lost: the target's timer will stand
         * for its time.
         */
        p->writer.lost = 0;
        return;
    }
    if (p->row)
        p->row->seen++;
    if (!at) {
        if (p->row)
            p->row->dropped++;
        return;
    }
    writer_commit(&p->writer, rec_put_clock(&p->writer.codec, at, clock));
    p->given += clock->weight;
    p->system += clock->mstate == MSTATE_SYSTEM ? clock->weight : 0;
    if (p->row) {
        p->row->cpu_last = p->given;
        p->row->system_last = p->system;
    }
}

void
threads_rest(struct seen_thread *p, u32 kind, u64 tick, int64_t user, int64_t system)
{
    struct rec_residual r = { .time = tick, .kind = kind };
    unsigned char *at;

    if (!p)
        return;
    r.user = (u64)user;
    r.system = (u64)system;
    at = writer_begin(&p->writer, FILE_profile, p->id, tick, ER_RECORD_MAX);
    if (!at)
        return;
    writer_commit(&p->writer, rec_put_residual(&p->writer.codec, at, &r));
    if (p->row) {
        p->row->cpu_last += (u64)(user + system);
        p->row->system_last += (u64)system;
    }
}

static void
end(struct thread_table *threads, struct seen_thread *p, u64 tick, u64 mono)
{
    struct rec_residual r = { .time = tick, .kind = RESIDUAL_PAUSED };
    unsigned char *at = NULL;

    r.user = p->paused;
    if (p->paused && !threads->beside)
        at = writer_begin(&p->writer, FILE_profile, p->id, tick, ER_RECORD_MAX);
    if (at)
        writer_commit(&p->writer, rec_put_residual(&p->writer.codec, at, &r));
    if (p->row && !threads->beside)
        p->row->death = mono;
    writer_seal(&p->writer, FILE_profile);
    free(p);
}

void
threads_end(struct thread_table *threads, u32 tid, u64 tick, u64 mono)
{
    struct seen_thread **link = &threads->first, *p;

    while (*link && (*link)->tid != tid)
        link = &(*link)->next;
    p = *link;
    if (!p)
        return;
    *link = p->next;
    end(threads, p, tick, mono);
}

void
threads_end_all(struct thread_table *threads, u64 tick, u64 mono)
{
    while (threads->first)
        threads_end(threads, threads->first->tid, tick, mono);
}
