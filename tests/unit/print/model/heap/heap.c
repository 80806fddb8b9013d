/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heap.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "print/model/filter/filter.h"
#include "print/model/pass/tally.h"
#include "print/model/symbols/frames.h"
#include "print/model/views/view.h"
#include "print/model/session/sessions.h"
#include "tests/gen/scene.h"

enum {
    US = 1000,
    PAGE = 4096,
    A = 0x1000000,
    B = 0x2000000,
};

/* One experiment a test: nodes 1 and 2 are stacks of f1 and f2. */
static char *dir, *path;
static struct gen *gen;
static struct session *session;
static const struct heap *heap;

static void
up(void)
{
    u64 lo = APP_BIAS + GEN_CODE;

    dir = scene_dir();
    path = scene_path(dir, "h.er");
    gen = gen_start(path, 1);
    gen_object(gen, 1, "/gen/app", "aa01", APP_BIAS, lo, lo + 4 * GEN_FUNC_BYTES,
               "main");
    gen_archive(gen, "/gen/app", "aa01", "f", "/gen/app.c", 4, 0);
    for (u32 i = 1; i <= 2; i++) {
        gen_thread(gen, &(struct rec_thread){ .id = i, .tid = i });
        gen_node(gen, 0, 1, lo + i * GEN_FUNC_BYTES + 8, 0);
    }
}

static void
down(void)
{
    sessions_close(session);
    scene_remove(dir);
    free(path);
}

TestSuite(heap, .init = up, .fini = down);

/* Time is in us from here on. */
static void
alloc(u32 thread, u64 us, u64 addr, u64 size, u32 node)
{
    gen_alloc(gen, thread, GEN_START + us * US,
              &(struct rec_alloc){ .addr = addr, .size = size, .node = node });
}

static void
release(u32 thread, u64 us, u64 addr)
{
    gen_free(gen, thread, GEN_START + us * US, &(struct rec_free){ .addr = addr });
}

static void
again(u32 thread, u64 us, u64 took, u64 old, u64 addr, u64 size, u32 node)
{
    gen_realloc(gen, thread, GEN_START + us * US,
                &(struct rec_realloc){ .took = took * US, .old = old, .addr = addr,
                                       .size = size, .node = node });
}

static void
map(u64 us, u64 addr, u64 size, enum er_map_kind kind, u32 node)
{
    gen_memory_map(gen, 1, GEN_START + us * US,
                   &(struct rec_map){ 0, addr, size, kind, node });
}

static void
unmap(u64 us, u64 addr, u64 size, enum er_map_kind kind)
{
    gen_memory_unmap(gen, 1, GEN_START + us * US,
                     &(struct rec_unmap){ 0, addr, size, kind });
}

static const struct heap_process *
result(void)
{
    char *why;

    gen_end(gen, GEN_START + 1000 * US, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_open(&session), 0);
    cr_assert_eq(sessions_add(session, path, &why), 0);
    cr_assert_eq(tally_heap(session, &heap), 0);
    cr_assert_eq(heap->nprocesses, 1);
    cr_assert_eq(session->experiment[0]->problems.count, 0);
    return &heap->process[0];
}

/* The sums of the stack whose leaf is that function. */
static struct heap_sums
sums_of(const char *function)
{
    for (u32 i = 0; i < heap->count; i++) {
        struct stack_frame *frames;
        bool same;
        u32 count;

        cr_assert_eq(frames_of(session, heap->stack[i].node, &frames, &count), 0);
        cr_assert_eq(count, 1);
        same = !strcmp(function_name(session, frames[0].func), function);
        free(frames);
        if (same)
            return heap->stack[i].sums;
    }
    return (struct heap_sums){ 0 };
}

Test(heap, leaks_and_what_was_freed)
{
    const struct heap_process *p;
    struct heap_sums f1, f2;

    alloc(1, 10, A, 100, 1);
    alloc(1, 20, B, 50, 2);
    release(1, 30, A);
    alloc(1, 40, A, 7, 1);
    alloc(1, 41, 0, 1 << 30, 1); /* there was no memory */
    release(1, 50, 0x999);       /* from before the start */
    p = result();
    f1 = sums_of("f1");
    f2 = sums_of("f2");
    cr_assert(p->recorded);
    cr_assert_eq(f1.calls, 2);
    cr_assert_eq(f1.bytes, 107);
    cr_assert_eq(f1.leaks, 1);
    cr_assert_eq(f1.leak_bytes, 7);
    cr_assert_eq(f1.peak, 1);
    cr_assert_eq(f1.peak_bytes, 100);
    cr_assert_eq(f2.peak_bytes, 50);
    cr_assert_eq(f2.leak_bytes, 50);
    cr_assert_eq(p->peak_bytes, 150);
    cr_assert_eq(p->peak_time, 20 * US);
    cr_assert_eq(f1.ended, 1);
    cr_assert_eq(f1.life, 20 * US);
    cr_assert_eq(f1.shortest, 20 * US);
    cr_assert_eq(p->refused, 1);
    cr_assert_eq(p->strange, 1);
    cr_assert_eq(p->unseen, 0);
}

Test(heap, another_thread_frees_and_gets_the_block)
{
    const struct heap_process *p;

    alloc(1, 10, A, 100, 1);
    release(2, 20, A);
    alloc(2, 20, A, 30, 2);
    release(1, 30, A);
    alloc(1, 30, A, 5, 1);
    p = result();
    cr_assert_eq(p->unseen, 0);
    cr_assert_eq(p->strange, 0);
    cr_assert_eq(p->total.leaks, 1);
    cr_assert_eq(p->total.leak_bytes, 5);
    cr_assert_eq(sums_of("f2").leaks, 0);
    cr_assert_eq(p->peak_bytes, 100);
}

/* The old block ends when the call begins: another thread may have it at once. */
Test(heap, realloc_moves_a_block)
{
    const struct heap_process *p;

    alloc(1, 10, A, 100, 1);
    again(1, 30, 10, A, B, 200, 2);
    alloc(2, 25, A, 40, 1);
    again(1, 40, 2, B, B, 300, 1);
    again(1, 50, 2, 0x777, 0x888, 11, 2); /* of what was not seen */
    p = result();
    cr_assert_eq(p->unseen, 0);
    cr_assert_eq(p->total.calls, 5);
    cr_assert_eq(p->total.bytes, 100 + 200 + 40 + 300 + 11);
    cr_assert_eq(sums_of("f1").leak_bytes, 340);
    cr_assert_eq(sums_of("f2").leak_bytes, 11);
    cr_assert_eq(sums_of("f2").ended, 1);
    cr_assert_eq(p->peak_bytes, 351);
    cr_assert_eq(p->total.temporary, 0);
}

/* An end that was not recorded, and one that a race of clocks brings too late. */
Test(heap, an_address_that_is_given_out_again)
{
    const struct heap_process *p;

    alloc(1, 10, A, 100, 1);
    alloc(1, 20, A, 60, 2);
    alloc(1, 30, B, 1, 1);
    alloc(2, 31, B, 2, 2);
    gen_free(gen, 2, GEN_START + 30 * US + 500, &(struct rec_free){ .addr = B });
    p = result();
    cr_assert_eq(p->unseen, 1);
    cr_assert_eq(sums_of("f1").leaks, 0);
    cr_assert_eq(sums_of("f2").leaks, 2);
    cr_assert_eq(sums_of("f2").leak_bytes, 62);
}

/* The end's time may be read before the block's address is there; not much before. */
Test(heap, an_end_that_comes_before_its_beginning)
{
    const struct heap_process *p;

    gen_free(gen, 2, GEN_START + 9 * US + 500, &(struct rec_free){ .addr = A });
    alloc(1, 10, A, 100, 1);
    alloc(2, 20, A, 30, 2);
    release(2, 30, B);
    alloc(1, 40, B, 7, 1);
    release(1, 41, 0x5000000);
    gen_alloc(gen, 1, GEN_START + 41 * US + 100,
              &(struct rec_alloc){ .addr = 0x5000000, .size = 1, .node = 1 });
    p = result();
    cr_assert_eq(p->strange, 2);
    cr_assert_eq(p->unseen, 0);
    cr_assert_eq(sums_of("f1").calls, 3);
    cr_assert_eq(sums_of("f1").leak_bytes, 8);
    cr_assert_eq(sums_of("f2").leak_bytes, 30);
    cr_assert_eq(p->peak_bytes, 100);
}

Test(heap, temporary_blocks)
{
    alloc(1, 10, A, 8, 1);
    release(1, 11, A); /* yes */
    alloc(1, 12, A, 8, 1);
    alloc(2, 13, B, 8, 2);
    release(2, 14, A); /* yes: its own thread has not allocated since */
    alloc(1, 15, A, 8, 1);
    alloc(1, 16, 0x3000000, 8, 1);
    release(1, 17, A);         /* no */
    release(1, 18, 0x3000000); /* yes */
    result();
    cr_assert_eq(sums_of("f1").temporary, 3);
    cr_assert_eq(sums_of("f2").temporary, 0);
}

Test(heap, mappings)
{
    const struct heap_process *p;

    map(10, A, 10 * PAGE, MAP_KIND_ANONYMOUS, 1);
    map(20, B, 100, MAP_KIND_ANONYMOUS, 2); /* a page, of which 100 bytes were asked */
    unmap(30, B, 1, 0);                     /* the whole page */
    unmap(40, A + 2 * PAGE, PAGE, 0);       /* a hole: still one mapping */
    map(50, A + 9 * PAGE, PAGE, MAP_KIND_FILE, 2); /* replaces its last page */
    map(60, 0x5000000, PAGE, MAP_KIND_NO_ACCESS, 2);
    p = result();
    cr_assert_eq(p->total.calls, 2);
    cr_assert_eq(p->peak_bytes, 10 * PAGE + 100);
    cr_assert_eq(sums_of("f1").leaks, 1);
    cr_assert_eq(sums_of("f1").leak_bytes, 8 * PAGE);
    cr_assert_eq(sums_of("f2").leaks, 0);
    cr_assert_eq(sums_of("f2").ended, 1);
    cr_assert_eq(p->file_maps, 1);
    cr_assert_eq(p->file_bytes, PAGE);
    cr_assert_eq(p->reserved_maps, 1);
}

Test(heap, remapping_and_the_break)
{
    const struct heap_process *p;
    struct rec_remap grow = { 0, US, A, PAGE, B, 4 * PAGE, 2 };
    struct rec_remap file = { 0, US, 0x3000000, PAGE, 0x4000000, 9 * PAGE, 2 };

    map(10, A, PAGE, MAP_KIND_ANONYMOUS, 1);
    gen_memory_remap(gen, 1, GEN_START + 20 * US, &grow);
    map(30, 0x3000000, PAGE, MAP_KIND_FILE, 1);
    gen_memory_remap(gen, 1, GEN_START + 40 * US, &file); /* is of the file still */
    map(50, 0x6000010, 1000, MAP_KIND_BREAK, 1);
    map(60, 0x6000010 + 1000, 500, MAP_KIND_BREAK, 1);
    unmap(70, 0x6000010 + 900, 600, MAP_KIND_BREAK);
    p = result();
    cr_assert_eq(sums_of("f2").leak_bytes, 4 * PAGE);
    cr_assert_eq(sums_of("f1").leak_bytes, 900);
    cr_assert_eq(sums_of("f1").leaks, 1);
    cr_assert_eq(p->peak_bytes, 4 * PAGE + 1500);
    cr_assert_eq(p->file_maps, 2);
}

Test(heap, classes_of_sizes)
{
    cr_assert_eq(heapsums_class(0), 0);
    cr_assert_eq(heapsums_class(1), 1);
    cr_assert_eq(heapsums_class(2), 2);
    cr_assert_eq(heapsums_class(3), 2);
    cr_assert_eq(heapsums_class(4), 3);
    cr_assert_eq(heapsums_class(UINT64_MAX), HEAP_CLASSES - 1);
    for (u32 i = 0; i < HEAP_CLASSES - 1; i++)
        cr_assert_eq(heapsums_class(heapsums_class_least(i)), i);
    alloc(1, 10, A, 0, 1);
    alloc(1, 20, B, 5, 1);
    result();
    cr_assert_eq(heap->class[0].calls, 1);
    cr_assert_eq(heap->class[3].calls, 1);
    cr_assert_eq(heap->class[3].leak_bytes, 5);
    cr_assert_eq(heap->class[3].peak_bytes, 5);
}

Test(heap, filters_choose_blocks_by_their_beginning)
{
    struct filter_error error;
    struct values total;

    alloc(1, 10, A, 100, 1);
    alloc(2, 20, B, 50, 2);
    alloc(1, 30, 0x3000000, 7, 1);
    release(1, 40, B);
    result();
    cr_assert_eq(view_total(session, &total), 0);
    cr_assert_eq(total.v[METRIC_heapallocbytes], 157);
    cr_assert_eq(total.v[METRIC_heappeakbytes], 157);
    cr_assert_eq(filter_set(session, FILTER_EXPRESSION,
                            "TSTAMP >= 15us && TSTAMP < 35us", &error), 0);
    cr_assert_eq(view_total(session, &total), 0);
    cr_assert_eq(total.v[METRIC_heapalloccnt], 2);
    cr_assert_eq(total.v[METRIC_heapallocbytes], 57);
    cr_assert_eq(total.v[METRIC_heapleakbytes], 7);
    cr_assert_eq(total.v[METRIC_heappeakbytes], 57);
    cr_assert_eq(filter_set(session, FILTER_EXPRESSION, "THRID == 2", &error), 0);
    cr_assert_eq(view_total(session, &total), 0);
    cr_assert_eq(total.v[METRIC_heapallocbytes], 50);
    cr_assert_eq(total.v[METRIC_heapleakcnt], 0);
    cr_assert_eq(tally_heap(session, &heap), 0);
    cr_assert_eq(heap->process[0].peak_bytes, 157, "the process's own");
    cr_assert_eq(filter_set(session, FILTER_EXPRESSION, "HSIZE > 50 && HTYPE == 0 "
                            "&& HVADDR != 0", &error), 0);
    cr_assert_eq(view_total(session, &total), 0);
    cr_assert_eq(total.v[METRIC_heapallocbytes], 100);
    cr_assert_eq(filter_set(session, FILTER_EXPRESSION, NULL, NULL), 0);
}

/* What threads show adds up to what functions show. */
Test(heap, threads_and_several_experiments)
{
    struct order order = { .by = ORDER_NAME };
    struct values total;
    struct rows rows;
    int64_t bytes = 0;
    char *why;

    alloc(1, 10, A, 100, 1);
    alloc(2, 20, B, 50, 2);
    result();
    cr_assert_eq(view_threads(session, &order, &rows), 0);
    for (u32 i = 0; i < rows.count; i++)
        bytes += rows.row[i].excl.v[METRIC_heapleakbytes];
    cr_assert_eq(bytes, 150);
    rows_free(&rows);
    cr_assert_eq(sessions_add(session, path, &why), 0);
    cr_assert_eq(view_total(session, &total), 0);
    cr_assert_eq(total.v[METRIC_heapleakbytes], 300);
    cr_assert_eq(tally_heap(session, &heap), 0);
    cr_assert_eq(heap->nprocesses, 2);
    cr_assert_eq(heap->count, 2, "equal stacks are one");
    cr_assert_eq(sums_of("f1").leak_bytes, 200);
}
