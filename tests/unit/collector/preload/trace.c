/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/trace_slow.c"

#include <criterion/criterion.h>
#include <pthread.h>

#include "collector/hook/trace.h"
#include "collector/preload/services.h"

static struct ctl ctl;
static struct thread *t;
static u32 growths, may_grow, helped;
static int stopped; /* there is a launcher, which does nothing */

/* No thread is ours. */
u64 thread_ours;
u32 thread_ours_speaks;

/* In the place of room.c. */
int
room_has_launcher(void)
{
    return stopped;
}

void
room_help(void)
{
    if (!stopped)
        return;
    helped++;
    if (may_grow && may_grow--)
        ctl.file[FILE_heaptrace].reserved += ER_SEGMENT;
}

void
room_serve(void)
{
    growths++;
    if (may_grow-- == 0)
        ctl.flags |= CTL_NO_SPACE;
    else
        ctl.file[FILE_heaptrace].reserved += ER_SEGMENT;
}

static const struct services services = {
    .ctl = &space_ctl,
    .room = trace_room,
    .busy = trace_busy,
    .done = trace_done,
};

const struct services *trace_services = &services;

static void
make(void)
{
    pthread_attr_t attr;
    void *lo;
    size_t bytes;
    void *file = mmap(NULL, SPACE_WINDOW * ER_SEGMENT, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *walk = mmap(NULL, walk_bytes(WALK_FRAMES), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &lo, &bytes);
    t = calloc(1, sizeof(*t));
    t->id = 1;
    t->walk = walk_init(walk, WALK_FRAMES, (u64)lo, (u64)lo + bytes);
    space_ctl = &ctl;
    ctl.file[FILE_heaptrace].reserved = ER_SEGMENT;
    space_start(FILE_heaptrace, file);
    may_grow = 8;
}

TestSuite(trace, .init = make);

/* Writes a free(); 1 if there was room. */
static int
record(u64 ticks)
{
    struct trace_scope s = { .t = t };
    struct rec_free r = { .time = ticks >> SHIFT_heaptrace, .addr = ticks * 16 };
    struct trace *trace = &t->trace[TRACE_heap];
    struct chunk_writer *w = trace_open(&s, trace, FILE_heaptrace, ticks);

    if (w)
        trace_close(&s, trace, w, rec_put_free(&w->codec, trace_at(w), &r));
    return w != NULL;
}

/* Records in all chunks of the file. */
static u64
records(void)
{
    struct chunk_cursor cursor = { .data = space_at(FILE_heaptrace, 0),
                                   .size = ctl.file[FILE_heaptrace].reserved,
                                   .file = FILE_heaptrace };
    const struct er_chunk *chunk;
    u64 where, n = 0;
    u32 committed, kind;
    int got;

    while ((got = chunk_next(&cursor, &chunk, &committed, &where))) {
        const unsigned char *p = (const unsigned char *)(chunk + 1);
        const unsigned char *end = (const unsigned char *)chunk + committed;
        struct codec codec;
        u64 time, addr;

        cr_assert_gt(got, 0);
        cr_assert(chunk_data_ok(chunk, committed));
        codec_start(&codec, chunk->tsc0 >> SHIFT_heaptrace, 0);
        for (; p < end; n++) {
            cr_assert_eq(get_head(&codec, &p, end, &kind, &time), 0);
            cr_assert_eq(kind, KIND_free);
            cr_assert_eq(get_addr(&codec, &p, end, &addr), 0);
            cr_assert_eq(addr / 16 >> SHIFT_heaptrace, time);
        }
    }
    return n;
}

Test(trace, files_grow_and_nothing_is_lost)
{
    for (u64 i = 0; i < 1000000; i++)
        cr_assert(record(i * 100));
    cr_assert_gt(growths, 1);
    cr_assert_eq(records(), 1000000);
    cr_assert_eq(trace_seen(&t->trace[TRACE_heap]), 1000000);
    cr_assert_eq(t->trace[TRACE_heap].dropped, 0);
}

Test(trace, without_room_it_is_counted)
{
    u64 done = 0;

    may_grow = 0;
    while (record(done * 100))
        done++;
    cr_assert_eq(growths, 1);
    cr_assert_eq(trace_seen(&t->trace[TRACE_heap]), done + 1);
    cr_assert_eq(t->trace[TRACE_heap].dropped, 1);
    cr_assert_eq(t->trace[TRACE_heap].busy, 0);
    cr_assert_eq(records(), done);
}

/* As where a store found no room: empty memory stands for the segment by then. */
Test(trace, what_was_lost_as_it_was_written_is_counted)
{
    struct trace *trace = &t->trace[TRACE_heap];

    for (u64 i = 1; i <= 10; i++)
        cr_assert(record(i));
    memset(trace->main.chunk, 0, trace->main.size);
    ctl.flags |= CTL_NO_SPACE | CTL_CUT;
    record(11);
    cr_assert_eq(trace->in_main, 10);
    cr_assert_eq(trace->dropped, 1);
    cr_assert_eq(trace_seen(trace), 11);
    cr_assert_eq(trace->owed, trace->in_main, "and is not counted again");
}

Test(trace, without_an_answer_it_helps_itself_once)
{
    u64 done = 0;

    stopped = 1;
    space_wake_page = &ctl;
    may_grow = 2;
    while (record(done * 100))
        done++;
    cr_assert_eq(helped, 3);
    cr_assert(!record(done * 100 + 1));
    cr_assert_eq(helped, 3, "it does not wait in vain again");
    cr_assert_eq(t->trace[TRACE_heap].dropped, 2);
    ctl.file[FILE_heaptrace].reserved += ER_SEGMENT;
    cr_assert(record(done * 100 + 2));
    cr_assert_eq(records(), done + 1);
}

Test(trace, recording_that_has_ended_drops_nothing)
{
    ctl.flags = CTL_ENDED;
    may_grow = 0;
    ctl.file[FILE_heaptrace].reserved = 0;
    cr_assert(!record(1));
    cr_assert_eq(trace_seen(&t->trace[TRACE_heap]), 0);
    cr_assert_eq(growths, 0);
}

static __attribute__((noinline)) void
interrupted(int depth)
{
    volatile char frame[256];

    frame[0] = 0;
    if (depth)
        interrupted(depth - 1);
    else
        t->trace[TRACE_heap].busy = (u64)(uintptr_t)__builtin_frame_address(0);
    (void)frame[0];
}

/* A frame above this one is busy: we run in a handler that interrupted it. */
Test(trace, a_nested_hook_has_a_chunk_of_its_own)
{
    struct chunk_writer before;

    record(100);
    before = t->trace[TRACE_heap].main;
    t->trace[TRACE_heap].busy = (u64)(uintptr_t)__builtin_frame_address(0) + 1;
    cr_assert(record(200));
    cr_assert_eq(t->trace[TRACE_heap].main.used, before.used);
    cr_assert_not_null(t->trace[TRACE_heap].nested.chunk);
    t->trace[TRACE_heap].busy = 0;
    cr_assert(record(300));
    cr_assert_eq(records(), 3);
    cr_assert_eq(trace_seen(&t->trace[TRACE_heap]), 3);
}

/* The busy frame is below: somebody jumped over it. What it had written is kept. */
Test(trace, a_hook_that_was_left_is_noticed)
{
    const struct er_chunk *chunk;

    record(100);
    chunk = t->trace[TRACE_heap].main.chunk;
    interrupted(10);
    t->trace[TRACE_heap].main.codec.time = 12345; /* as if it had begun to encode */
    cr_assert(record(200));
    cr_assert_neq(t->trace[TRACE_heap].main.chunk, chunk);
    cr_assert_eq(t->trace[TRACE_heap].busy, 0);
    cr_assert_null(t->trace[TRACE_heap].nested.chunk);
    cr_assert_eq(records(), 2);
    cr_assert_eq(trace_seen(&t->trace[TRACE_heap]), 2);
}

/* It was left after its record was whole, before that was told to anybody. */
Test(trace, a_record_that_is_whole_counts)
{
    struct rec_free r = { .time = 50, .addr = 50 * 16 << SHIFT_heaptrace };
    struct chunk_writer *w = &t->trace[TRACE_heap].main;
    unsigned char *end;

    record(100);
    end = rec_put_free(&w->codec, trace_at(w), &r);
    interrupted(10);
    t->trace[TRACE_heap].owed = t->trace[TRACE_heap].in_main + 1;
    t->trace[TRACE_heap].owed_used = w->used = (u32)(end - (unsigned char *)w->chunk);
    cr_assert(record(200 << SHIFT_heaptrace));
    cr_assert_eq(records(), 3);
    cr_assert_eq(trace_seen(&t->trace[TRACE_heap]), 3);
}
