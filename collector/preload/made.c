/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/made.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/trace_slow.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/hotspot.h"
#include "collector/sig/sink.h"
#include "collector/sig/mem.h"
#include "collector/sig/space.h"

enum {
    OWNER = 1, /* thread id of all chunks, so that a function's records stay in order */
    PLAIN = ER_RECORD_MAX,
    TEXT = ER_RECORD_MAX + ER_STR_MAX,
    /* larger code is not recorded: its disassembly would not be useful */
    BYTES_MAX = 1 << 20,
};

u32 made_by_call;

/* Guarded by guard_made. */
static struct {
    u32 pid; /* the process with this writer: a forked child begins a new one */
    u32 is_open; /* 1 = the file is mapped, and handlers know the writer */
    u32 refused; /* 1 = there is no file, and there will be none */
    struct chunk_writer writer;
} made;

/* Return the writer, after mapping the file if needed; or NULL. */
static struct chunk_writer *
open_writer(void)
{
    if (made.pid != space_pid) {
        memset(&made, 0, sizeof(made));
        made.pid = space_pid;
    }
    if (made.is_open)
        return &made.writer;
    if (made.refused || gate_limited)
        return NULL;
    __atomic_fetch_or(&space_ctl->flags, CTL_MADE, __ATOMIC_ACQ_REL);
    if (trace_await_file(FILE_madecode))
        expt_map_late(FILE_madecode);
    made.is_open = space_files[FILE_madecode].mapped != 0;
    made.refused = !made.is_open;
    if (made.is_open)
        sink = (struct sink){ &guard_made.word, &made.writer, OWNER, space_pid };
    return made.is_open ? &made.writer : NULL;
}

void
made_forget(void)
{
    memset(&sink, 0, sizeof(sink));
    memset(&made, 0, sizeof(made));
}

int
made_is_wanted(void)
{
    return gate_is_open() && space_ctl &&
           !(__atomic_load_n(&space_ctl->flags, __ATOMIC_ACQUIRE) & CTL_OVER);
}

void
made_stub(const char *name, u64 at)
{
    static const char *const barriers[] = { "cont_returnBarrier",         /* JDK 24 */
                                            "Cont thaw return barrier" }; /* JDK 21 */

    for (u32 i = 0; i < ER_COUNT(barriers); i++)
        if (!strcmp(name, barriers[i]))
            __atomic_store_n(&hotspot_heap_frames, at, __ATOMIC_RELAXED);
}

/* State that is kept while a function is recorded. */
struct report {
    struct chunk_writer *w;
    u64 mask;
    u64 time;
    int saved; /* errno */
    int state; /* the thread's cancellation state */
};

/* 1 = end() must follow; 0 = nothing is recorded. */
static int
begin(struct report *r)
{
    u32 cpu;

    if (!made_is_wanted())
        return 0;
    r->saved = errno;
    r->mask = guard_enter();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &r->state);
    guard_lock(&guard_made);
    r->w = made_is_wanted() ? open_writer() : NULL;
    r->time = clock_ticks(&cpu);
    return 1;
}

static void
end(const struct report *r)
{
    guard_unlock(&guard_made);
    pthread_setcancelstate(r->state, NULL);
    guard_leave(r->mask);
    errno = r->saved;
}

static unsigned char *
room(const struct report *r, u32 bytes)
{
    return r->w ? trace_begin(r->w, FILE_madecode, OWNER, r->time, bytes) : NULL;
}

static struct er_str
text(const char *s)
{
    return (struct er_str){ s ? s : "", s ? (u32)strnlen(s, ER_STR_MAX) : 0 };
}

/*
 * Get a function's name. HotSpot's adapters between compiled and interpreted code have
 * the kinds of their arguments as a number after the name. As they are many, and do the
 * same, the number is left out, so that they are one function.
 */
static struct er_str
name_of(const char *name)
{
    static const char adapters[] = "I2C/C2I adapters";
    struct er_str all = text(name);

    if (all.len > sizeof(adapters) && all.s[sizeof(adapters) - 1] == '(' &&
        !memcmp(all.s, adapters, sizeof(adapters) - 1))
        all.len = sizeof(adapters) - 1;
    return all;
}

/*
 * Record the function itself. 0, or -ENOSPC: then its other records are not written
 * either.
 */
static int
put_function(const struct report *r, const struct made_function *f)
{
    const struct rec_made rec = { r->time, f->since, f->addr, f->size,
                                  f->origin, f->line, name_of(f->name) };
    unsigned char *p = room(r, TEXT);

    if (!p)
        return -ENOSPC;
    writer_commit(r->w, rec_put_made(&r->w->codec, p, &rec));
    return 0;
}

static int
put_sources(const struct report *r, const struct made_function *f)
{
    for (u32 i = 0; i < f->nsources; i++) {
        const struct rec_source rec = { r->time, text(f->sources[i]) };
        unsigned char *p = room(r, TEXT);

        if (!p)
            return -ENOSPC;
        writer_commit(r->w, rec_put_source(&r->w->codec, p, &rec));
    }
    return 0;
}

static int
put_inlined(const struct report *r, const struct made_function *f)
{
    for (u32 i = 0; i < f->ninlined; i++) {
        const struct made_inlined *call = &f->inlined[i];
        const struct rec_inlined rec = { r->time, call->parent, call->source,
                                         call->line, text(call->name),
                                         call->declared, call->first };
        unsigned char *p = room(r, TEXT);

        if (!p)
            return -ENOSPC;
        writer_commit(r->w, rec_put_inlined(&r->w->codec, p, &rec));
    }
    return 0;
}

static int
put_line(const struct report *r, const struct made_line *line)
{
    const struct rec_line rec = { r->time, line->offset, line->source, line->line,
                                  line->inlined };
    unsigned char *p = room(r, PLAIN);

    if (!p)
        return -ENOSPC;
    writer_commit(r->w, rec_put_line(&r->w->codec, p, &rec));
    return 0;
}

static int
put_lines(const struct report *r, const struct made_function *f)
{
    int ret = 0;

    for (u32 i = 0; i < f->nlines && ret == 0; i++)
        ret = put_line(r, &f->lines[i]);
    for (u32 i = 0; i < f->npairs && ret == 0; i++)
        ret = put_line(r, &(struct made_line){ .offset = f->pairs[i].offset,
                                               .source = f->nsources > 0,
                                               .line = f->pairs[i].line });
    return ret;
}

/*
 * Record the code, unless it is larger than BYTES_MAX: in pieces within one page each,
 * after a check that the page can be read. The address comes from the program and may
 * be wrong, or the code may be execute-only. 0, or -ENOSPC.
 */
static int
put_bytes(const struct report *r, const struct made_function *f)
{
    u64 at = (u64)(uintptr_t)f->code, end = at + f->size, next;

    if (!at || end < at || f->size > BYTES_MAX || mem_probe_forbidden)
        return 0;
    for (; at < end; at = next) {
        struct rec_bytes rec = { .time = r->time };
        unsigned char *p;

        next = (at / ER_STR_MAX + 1) * ER_STR_MAX;
        next = next < end ? next : end;
        if (!sys_readable(at & ~7ull))
            return 0;
        p = room(r, TEXT);
        if (!p)
            return -ENOSPC;
        rec.code = (struct er_str){ (const char *)(uintptr_t)at, (u32)(next - at) };
        writer_commit(r->w, rec_put_bytes(&r->w->codec, p, &rec));
    }
    return 0;
}

void
made_load(const struct made_function *f)
{
    struct report r;

    if (!f->size || !f->name || !begin(&r))
        return;
    if (put_function(&r, f) == 0 && put_sources(&r, f) == 0 &&
        put_inlined(&r, f) == 0 && put_lines(&r, f) == 0)
        (void)put_bytes(&r, f);
    end(&r);
}

void
made_unload(u64 addr, u64 size, u64 since)
{
    struct report r;
    unsigned char *p;

    if (!begin(&r))
        return;
    p = room(&r, PLAIN);
    if (p) {
        const struct rec_gone rec = { r.time, since, addr, size };

        writer_commit(r.w, rec_put_gone(&r.w->codec, p, &rec));
    }
    end(&r);
}

int
made_open(void)
{
    struct report r;
    int there;

    if (!begin(&r))
        return 0;
    there = r.w != NULL;
    end(&r);
    return there;
}
