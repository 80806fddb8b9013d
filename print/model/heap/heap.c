/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/heap/heapscan.h"
#include "print/model/symbols/stacks.h"

static void
add_sums(struct heap_sums *to, const struct heap_sums *more)
{
    if (more->ended && (!to->ended || more->shortest < to->shortest))
        to->shortest = more->shortest;
    to->calls += more->calls;
    to->bytes += more->bytes;
    to->leaks += more->leaks;
    to->leak_bytes += more->leak_bytes;
    to->peak += more->peak;
    to->peak_bytes += more->peak_bytes;
    to->temporary += more->temporary;
    to->ended += more->ended;
    to->life += more->life;
}

/* The average duration of a unit of record times over the run, in ns. */
static double
scale_of(const struct experiment *e, const struct heap_scan *scan, u32 shift)
{
    u64 first = clock_mono(&e->clock, scan->first << shift);
    u64 last = clock_mono(&e->clock, scan->last << shift);

    if (e->clock.identity || scan->last <= scan->first || last <= first)
        return (double)((u64)1 << shift);
    return (double)(last - first) / (double)(scan->last - scan->first);
}

static struct heap_sums
in_ns(const struct heap_part *part, double scale)
{
    struct heap_sums sums = part->sums;

    sums.life = clock_scaled(sums.life, scale);
    sums.shortest = clock_scaled(sums.shortest, scale);
    return sums;
}

static void
add_count(struct heap_count *to, const struct heap_count *more)
{
    to->count += more->count;
    to->bytes += more->bytes;
}

static void
add_kept(struct heap_kept *to, const struct heap_kept *more)
{
    for (u32 i = 0; i < HEAP_KINDS; i++)
        add_count(&to->kind[i], &more->kind[i]);
    add_count(&to->under, &more->under);
}

struct heap_count
heap_reached(const struct heap_kept *kept)
{
    static const enum heap_kind reached[] = { HEAP_POSSIBLY, HEAP_REACHABLE,
                                              HEAP_MAPPED };
    struct heap_count sum = { 0, 0 };

    for (u32 i = 0; i < ER_COUNT(reached); i++)
        add_count(&sum, &kept->kind[reached[i]]);
    return sum;
}

bool
heap_ran_on(const struct heap *heap)
{
    u32 some = 0;

    for (u32 i = 0; i < heap->nprocesses; i++) {
        if (heap->process[i].recorded && !heap->process[i].ran_on)
            return false;
        some += heap->process[i].recorded;
    }
    return some != 0;
}

struct heap_count
heap_lost(const struct heap_sums *sums, const struct heap_kept *kept)
{
    struct heap_count sum = heap_reached(kept);

    add_count(&sum, &kept->kind[HEAP_EXEC]);
    return (struct heap_count){ sums->leaks - sum.count, sums->leak_bytes - sum.bytes };
}

struct values
heap_values(const struct heap_sums *sums, const struct heap_kept *kept)
{
    struct heap_count lost = heap_lost(sums, kept), reached = heap_reached(kept);
    struct values values = { { 0 } };

    values.v[METRIC_heapalloccnt] = (int64_t)sums->calls;
    values.v[METRIC_heapallocbytes] = (int64_t)sums->bytes;
    values.v[METRIC_heapleakcnt] = (int64_t)lost.count;
    values.v[METRIC_heapleakbytes] = (int64_t)lost.bytes;
    values.v[METRIC_heapreachcnt] = (int64_t)reached.count;
    values.v[METRIC_heapreachbytes] = (int64_t)reached.bytes;
    values.v[METRIC_heappeakbytes] = (int64_t)sums->peak_bytes;
    return values;
}

/* The experiment whose results are being added to the heap. */
struct collecting {
    struct session *session;
    u32 index;
    struct grid *nodes;
    struct values *threads;
    struct heap *heap;
    struct heap_process *process;
    double scale;
    u32 room;
};

/* Keep one entry for each node, since threads and experiments have stacks in common. */
static int
add_stack(struct heap *heap, const struct heap_stack *stack)
{
    u32 *place;

    if (array_room_zero(&heap->place, &heap->places, stack->node + 1,
                        sizeof(*heap->place)) < 0 ||
        array_room(&heap->stack, &heap->room, heap->count + 1, sizeof(*stack)) < 0)
        return -ENOMEM;
    place = &heap->place[stack->node];
    if (*place) {
        add_sums(&heap->stack[*place - 1].sums, &stack->sums);
        add_kept(&heap->stack[*place - 1].kept, &stack->kept);
        return 0;
    }
    heap->stack[heap->count++] = *stack;
    *place = heap->count;
    return 0;
}

static int
add_owner(struct collecting *t, const struct heap_owner *owner,
          const struct heap_kept *kept)
{
    struct heap_stack stack = { 0, in_ns(&owner->part, t->scale), *kept };
    struct values values = heap_values(&stack.sums, kept);

    if (stacks_of(t->session, t->index, owner->node, &stack.node) < 0 ||
        stacks_add(t->session, t->nodes, stack.node, &values) < 0 ||
        add_stack(t->heap, &stack) < 0)
        return -ENOMEM;
    values_add(&t->threads[owner->slot], &values);
    add_sums(&t->process->total, &stack.sums);
    add_kept(&t->process->kept, kept);
    return 0;
}

static u64
moment(const struct experiment *e, u64 time)
{
    u32 shift = e->file[FILE_heaptrace].schema->time_shift;

    return experiment_since(e, clock_mono(&e->clock, time << shift));
}

static int
add_curve(struct collecting *t, const struct heap_scan *scan)
{
    const struct experiment *e = t->session->experiment[t->index];
    const struct heap_curve *curve = &scan->curve;
    struct heap_process *p = t->process;

    p->steps = curve->at + 1;
    p->step_bits = curve->bits;
    p->first = moment(e, scan->first);
    p->step = calloc(p->steps, sizeof(*p->step));
    for (u32 i = 0; p->step && i < p->steps; i++) {
        u64 end = scan->first + (((u64)i + 1) << curve->bits);

        p->step[i] = (struct heap_step){
            .end = moment(e, i < curve->at ? end : scan->last),
            .most = curve->step[i].most,
            .left = curve->step[i].left,
        };
    }
    return p->step ? 0 : -ENOMEM;
}

static int
add_scan(struct collecting *t, const struct heap_scan *scan)
{
    struct experiment *e = t->session->experiment[t->index];

    if (experiment_clock(e) < 0)
        return -ENOMEM;
    t->scale = scale_of(e, scan, e->file[FILE_heaptrace].schema->time_shift);
    *t->process = scan->process;
    t->process->peak_time = moment(e, scan->process.peak_time);
    if (add_curve(t, scan) < 0)
        return -ENOMEM;
    for (u32 i = 1; i < scan->count; i++)
        if (scan->owner[i].part.sums.calls &&
            add_owner(t, &scan->owner[i], &scan->kept[i]) < 0)
            return -ENOMEM;
    for (u32 i = 0; i < HEAP_CLASSES; i++) {
        struct heap_sums sums = in_ns(&scan->class[i], t->scale);

        add_sums(&t->heap->class[i], &sums);
    }
    return 0;
}

int
heap_add(struct session *session, u32 index, const struct bound_filter *filter,
         struct grid *nodes, struct values *threads, struct heap *heap)
{
    struct collecting t = { .session = session, .index = index };
    struct heap_scan scan;
    int ret = heapscan_run(session->experiment[index], filter, NULL, &scan);

    if (ret == -ENOENT) {
        heap->process[index].recorded =
            experiment_is_requested(session->experiment[index], FILE_heaptrace);
        return 0;
    }
    if (ret < 0)
        return ret;
    t.nodes = nodes;
    t.threads = threads;
    t.heap = heap;
    t.process = &heap->process[index];
    ret = add_scan(&t, &scan);
    heapscan_free(&scan);
    return ret;
}

static int
by_node(const void *a, const void *b)
{
    const struct heap_stack *left = a, *right = b;

    return left->node < right->node ? -1 : left->node > right->node;
}

void
heap_settle(struct heap *heap)
{
    free(heap->place);
    heap->place = NULL;
    heap->places = 0;
    if (heap->count)
        qsort(heap->stack, heap->count, sizeof(*heap->stack), by_node);
}

void
heap_free(struct heap *heap)
{
    free(heap->stack);
    free(heap->place);
    for (u32 i = 0; i < heap->nprocesses; i++)
        free(heap->process[i].step);
    free(heap->process);
    memset(heap, 0, sizeof(*heap));
}
