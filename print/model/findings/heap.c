/* SPDX-License-Identifier: Apache-2.0 */
/* Reports memory that was never freed, and how much memory was held at most. */
#include "print/model/findings/say.h"
#include "print/model/findings/sections.h"
#include "print/model/heap/heapown.h"
#include "print/model/symbols/function.h"
#include "print/model/pass/tally.h"

/*
 * Is it known which of the blocks that were never freed were lost? It is if pointers to
 * them were looked for when each process ended.
 */
static bool
is_scanned(const struct heap *heap)
{
    for (u32 i = 0; i < heap->nprocesses; i++)
        if (heap->process[i].recorded && !heap->process[i].scanned)
            return false;
    return true;
}

static void
add_reached(struct findings *f, const struct heap *heap)
{
    struct heap_count all = { 0, 0 };

    for (u32 i = 0; i < heap->count; i++) {
        struct heap_count c = heap_reached(&heap->stack[i].kept);

        all.count += c.count;
        all.bytes += c.bytes;
    }
    if (!all.count) {
        say(f, "All blocks of the heap were freed.");
        return;
    }
    say(f, "No block of the heap was lost; ");
    say_bytes(f, all.bytes);
    say(f, " in ");
    say_count(f, all.count, "block", "blocks");
    say(f, " could still be reached at the end.");
}

static void
add_leaks(struct session *session, struct findings *f, const struct heap *heap)
{
    const struct heap_stack *top = NULL;
    struct heap_count most = { 0, 0 }, all = { 0, 0 };

    for (u32 i = 0; i < heap->count; i++) {
        const struct heap_stack *s = &heap->stack[i];
        struct heap_count lost = heap_lost(&s->sums, &s->kept);

        all.count += lost.count;
        all.bytes += lost.bytes;
        if (lost.count && (!top || lost.bytes > most.bytes)) {
            top = s;
            most = lost;
        }
    }
    say_begin(f, FINDING_HEAP, "leaks");
    if (!top) {
        add_reached(f, heap);
        return;
    }
    say_bytes(f, all.bytes);
    say(f, " in ");
    say_count(f, all.count, "block", "blocks");
    if (heap_ran_on(heap))
        say(f, " were alive at the end, ");
    else
        say(f, is_scanned(heap) ? " were lost, " : " were never freed, ");
    say_share(f, (double)most.bytes, (double)all.bytes);
    say(f, " of them from ");
    say_name(f, FIND_BY, say_place(f, session, top->node));
    say(f, ": ");
    say_bytes(f, most.bytes);
    say(f, " in ");
    say_count(f, most.count, "block", "blocks");
    say(f, ".");
}

/*
 * Add to the sentence which function allocated most of what the process held at its
 * peak.
 */
static void
say_owner(struct findings *f, struct session *session, const struct heapown *own,
          u64 all)
{
    u32 top = 0;

    for (u32 i = 1; i < own->count; i++)
        if (own->peak_bytes[i] > own->peak_bytes[top])
            top = i;
    if (!top || !own->peak_bytes[top])
        return;
    say(f, "; ");
    say_share(f, (double)own->peak_bytes[top], (double)all);
    say(f, " of that, ");
    say_bytes(f, own->peak_bytes[top]);
    say(f, ", was allocated by ");
    say_name(f, FIND_BY, function_name(session, top));
}

static void
add_peak(struct session *session, struct findings *f, const struct heap *heap,
         const struct heapown *own)
{
    const struct heap_process *most = NULL;
    u32 recorded = 0;

    for (u32 i = 0; i < heap->nprocesses; i++) {
        recorded += heap->process[i].recorded;
        if (heap->process[i].recorded &&
            (!most || heap->process[i].peak_bytes > most->peak_bytes))
            most = &heap->process[i];
    }
    if (!most || !most->peak_bytes)
        return;
    say_begin(f, FINDING_HEAP, recorded > 1 ? "heapstat" : "heap");
    say(f, "%s held ", recorded > 1 ? "One process" : "It");
    say_bytes(f, most->peak_bytes);
    say(f, " of heap at most, ");
    say_time(f, most->peak_time);
    say(f, " after its start");
    if (recorded == 1)
        say_owner(f, session, own, most->peak_bytes);
    say(f, ".");
}

int
sections_heap(struct session *session, struct findings *f)
{
    const struct heap *heap;
    struct heapown own;
    int ret = 0;

    if (!sections_any(session, FILE_heaptrace))
        return 0;
    ret = tally_heap(session, &heap);
    if (ret == 0)
        ret = heapown_get(session, heap, &own);
    if (ret < 0)
        return ret;
    add_leaks(session, f, heap);
    add_peak(session, f, heap, &own);
    heapown_free(&own);
    return 0;
}
