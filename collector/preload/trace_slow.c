/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/trace_slow.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <time.h>

#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/room.h"
#include "collector/preload/stack.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/walk_state.h"

enum {
    PAGE = 4096,
    DROP_BYTES = 65536, /* full chunks of at least this size are removed from memory */
    WAIT_NS = 5000000,
    WAITS = 40,      /* of WAIT_NS each, before the launcher is assumed to be stuck */
    WAITS_AGAIN = 2, /* the same, if it did not react the last time */
    /* recording ended on purpose: a record that is not written is not lost */
    WANTED = CTL_ENDED | CTL_LIMIT,
    MAP_NS = 200000000, /* least time between two requests WANT_MAP */
};

static u64
reserved_of(enum er_file file)
{
    return __atomic_load_n(&space_ctl->file[file].reserved, __ATOMIC_ACQUIRE);
}

static int
is_recording(void)
{
    return !(__atomic_load_n(&space_ctl->flags, __ATOMIC_ACQUIRE) & CTL_OVER);
}

/* Sleep until the file is longer than `before`, at most WAIT_NS. */
static void
await(enum er_file file, u64 before)
{
    const u64 *reserved = &space_ctl->file[file].reserved;
    struct timespec wait = { 0, WAIT_NS };

    __atomic_fetch_add(&space_ctl->sleepers, 1, __ATOMIC_SEQ_CST);
    space_want(WANT_SPACE);
    if (reserved_of(file) == before)
        sys_call6(SYS_futex, (long)(uintptr_t)reserved, FUTEX_WAIT, (long)(u32)before,
                  (long)(uintptr_t)&wait, 0, 0);
    __atomic_fetch_sub(&space_ctl->sleepers, 1, __ATOMIC_SEQ_CST);
}

/* End recording: the file has the largest size that we can map. */
static void
end_recording(enum er_file file)
{
    u32 flags = __atomic_fetch_or(&space_ctl->flags, CTL_NO_SPACE, __ATOMIC_ACQ_REL);

    if (!(flags & CTL_NO_SPACE))
        expt_event(EVENT_disk_full, er_files[file].name, expt_error_name(EFBIG), NULL,
                   0);
}

/* Wait until the launcher has extended the file, or extend it without the launcher. */
static void
lengthen(enum er_file file, u64 before)
{
    static u32 slow; /* 1 = the launcher did not react the last time */
    u32 waits = __atomic_load_n(&slow, __ATOMIC_RELAXED) ? WAITS_AGAIN : WAITS;

    for (u32 i = 0; i < waits && is_recording(); i++) {
        if (reserved_of(file) != before)
            break;
        if (room_has_launcher())
            await(file, before);
        else
            room_serve();
    }
    __atomic_store_n(&slow, reserved_of(file) == before, __ATOMIC_RELAXED);
    if (reserved_of(file) == before && is_recording())
        room_help();
}

/* 1 = the file has become longer than `before`; 0 = recording cannot go on. */
static int
more(enum er_file file, u64 before)
{
    static u64 vain[FILE_COUNT]; /* size at which extending the file has failed */

    if (before / ER_SEGMENT >= SPACE_SEGMENTS)
        end_recording(file);
    if (__atomic_load_n(&vain[file], __ATOMIC_RELAXED) != before)
        lengthen(file, before);
    if (reserved_of(file) == before) {
        __atomic_store_n(&vain[file], before, __ATOMIC_RELAXED);
        space_want(WANT_SPACE);
    }
    return is_recording() && reserved_of(file) != before;
}

int
trace_want_file(enum er_file file, u32 flag)
{
    if (gate_limited || !is_recording())
        return 0;
    __atomic_fetch_or(&space_ctl->flags, flag, __ATOMIC_ACQ_REL);
    if (!reserved_of(file))
        (void)trace_await_file(file);
    expt_map_late(file);
    return __atomic_load_n(&space_files[file].mapped, __ATOMIC_ACQUIRE) != 0;
}

/*
 * Drop the pages of a full chunk from this process: the data stay in the page cache,
 * but mapped pages would count as memory of the target.
 */
static void
leave_memory(const struct er_chunk *chunk, u32 size)
{
    u64 lo = ((u64)(uintptr_t)chunk + PAGE - 1) & ~(u64)(PAGE - 1);
    u64 hi = ((u64)(uintptr_t)chunk + size) & ~(u64)(PAGE - 1);

    if (size >= DROP_BYTES)
        sys_call4(SYS_madvise, (long)lo, (long)(hi - lo), MADV_DONTNEED, 0);
}

/*
 * Begin a record in new space. Signals are blocked, so that no handler jumps away and
 * leaves reserved space without a chunk's header.
 */
static unsigned char *
begin(struct chunk_writer *w, enum er_file file, u32 thread, u64 ticks, u32 bytes)
{
    const struct er_chunk *full = w->chunk;
    u32 size = w->size;

    for (;;) {
        u64 before = reserved_of(file);
        unsigned char *p = writer_begin(w, file, thread, ticks, bytes);

        if (p && full && full != w->chunk)
            leave_memory(full, size);
        if (p)
            return p;
        w->lost--;
        if (!more(file, before))
            return NULL;
    }
}

static int
is_loss(void)
{
    return !(__atomic_load_n(&space_ctl->flags, __ATOMIC_ACQUIRE) & WANTED);
}

static struct chunk_writer *
room(struct thread *t, struct trace *trace, struct chunk_writer *w, enum er_file file,
     u64 ticks, u32 bytes)
{
    if (begin(w, file, t->id, ticks, bytes))
        return w;
    if (is_loss()) {
        w->lost++;
        trace->dropped++;
    }
    return NULL;
}

unsigned char *
trace_begin(struct chunk_writer *w, enum er_file file, u32 thread, u64 ticks,
            u32 bytes)
{
    unsigned char *p = begin(w, file, thread, ticks, bytes);

    if (!p && is_loss())
        w->lost++;
    return p;
}

int
trace_await_file(enum er_file file)
{
    if (!reserved_of(file))
        lengthen(file, 0);
    return reserved_of(file) != 0;
}

struct chunk_writer *
trace_room(struct thread *t, struct trace *trace, enum er_file file, u64 ticks,
           u32 bytes)
{
    int saved = errno;
    u64 mask = guard_enter();
    struct chunk_writer *w = room(t, trace, &trace->main, file, ticks, bytes);

    guard_leave(mask);
    errno = saved;
    return w;
}

/*
 * Has the hook with the frame `that` ended? Yes, if `frame`, which is active, is at the
 * same or a higher address of the same stack.
 */
static int
is_dead(const struct walk *w, u64 that, u64 frame)
{
    return that >= w->lo && that < w->hi && frame < w->hi && frame >= that;
}

/*
 * Close the main chunk after a jump: keep and count its complete records; what comes
 * after them is undefined.
 */
static void
close_main(struct trace *trace, enum er_file file)
{
    struct chunk_writer *w = &trace->main;

    if (!w->chunk)
        return;
    __atomic_store_n(&w->chunk->committed, w->used, __ATOMIC_RELEASE);
    if (trace->owed_used == w->used)
        trace->in_main = trace->owed;
    writer_seal(w, file);
}

struct chunk_writer *
trace_busy(struct thread *t, struct trace *trace, enum er_file file, u64 ticks,
           u32 bytes, u64 frame, u64 *mask)
{
    int saved = errno;
    u64 before = guard_enter();
    struct chunk_writer *w = &trace->nested;

    if (is_dead(t->walk, trace->busy, frame)) {
        close_main(trace, file);
        trace->busy = frame;
        w = room(t, trace, &trace->main, file, ticks, bytes);
        if (!w)
            trace->busy = 0;
        guard_leave(before);
    } else {
        w = room(t, trace, w, file, ticks, bytes);
        if (w)
            *mask = before;
        else
            guard_leave(before);
    }
    errno = saved;
    return w;
}

void
trace_done(u64 mask)
{
    guard_leave(mask);
}

struct apart {
    struct thread *t;
    const struct walk_start *start;
    u32 node;
};

static void
walk(void *arg)
{
    struct apart *a = arg;

    a->node = sig_walk_from(a->t->walk, a->start);
}

u32
trace_walk_apart(struct thread *t, const struct walk_start *start)
{
    struct apart a = { t, start, 0 };

    if (start->sp - (u64)(uintptr_t)t->alt_told.ss_sp < t->alt_told.ss_size)
        stack_run(walk, &a);
    else
        walk(&a);
    return a.node;
}

u32
trace_walk_again(struct thread *t, const struct walk_start *start)
{
    int saved = errno;
    u64 mask;
    u32 node;

    if (!node_segment_wanted)
        return 0;
    mask = guard_enter();
    more(FILE_frameinfo, reserved_of(FILE_frameinfo));
    space_more_nodes();
    guard_leave(mask);
    node = trace_walk_apart(t, start);
    errno = saved;
    return node;
}

void
trace_want_map(void)
{
    static u64 asked;
    u64 now = clock_mono();

    if (now - __atomic_load_n(&asked, __ATOMIC_RELAXED) < MAP_NS)
        return;
    __atomic_store_n(&asked, now, __ATOMIC_RELAXED);
    space_want(WANT_MAP);
}

/*
 * Has the interrupted hook committed its record, but not counted it? See
 * trace_close_as().
 */
static int
is_committed(const struct trace *trace)
{
    return trace->owed_used == trace->main.used && trace->owed != trace->in_main;
}

/*
 * If a hook was interrupted, keep its chunk for it, but let the chunk end after the
 * record that the hook has not committed yet, which is counted as dropped. If the hook
 * has committed its record, but not counted it yet, the chunk ends there.
 */
void
trace_renew(struct trace *trace)
{
    struct trace fresh = { 0 };

    if (trace->busy && trace->main.chunk) {
        fresh.busy = trace->busy;
        fresh.main.chunk = trace->main.chunk;
        fresh.main.used = trace->main.used;
        fresh.main.size = trace->main.used + (is_committed(trace) ? 0 : TRACE_BYTES);
        fresh.in_main--;
        fresh.dropped++;
    }
    *trace = fresh;
}
