/* SPDX-License-Identifier: Apache-2.0 */
/* Reports memory that was never freed, and how much memory was held at most. */
#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/heap/heapown.h"
#include "print/model/symbols/function.h"
#include "print/model/pass/tally.h"

/*
 * Is it known which of the blocks that were never freed were lost? It is if pointers to
 * them were looked for when each process ended that had such blocks.
 */
static bool
is_scanned(const struct heap *heap)
{
    for (u32 i = 0; i < heap->nprocesses; i++)
        if (heap->process[i].recorded && !heap->process[i].scanned &&
            heap->process[i].kept.kind[HEAP_UNKNOWN].count)
            return false;
    return true;
}

static void
add_count(struct heap_count *to, struct heap_count more)
{
    to->count += more.count;
    to->bytes += more.bytes;
}

static void
append_blocks(struct findings *f, const struct heap_count *blocks)
{
    phrase_add_bytes(f, blocks->bytes);
    phrase_add(f, " in ");
    phrase_add_count(f, blocks->count, "block", "blocks");
}

/* Say what became of the blocks that were not freed, if none was lost. */
static void
add_reached(struct findings *f, const struct heap *heap)
{
    struct heap_count reached = { 0, 0 }, ended = { 0, 0 };

    for (u32 i = 0; i < heap->count; i++) {
        add_count(&reached, heap_reached(&heap->stack[i].kept));
        add_count(&ended, heap->stack[i].kept.kind[HEAP_EXEC]);
    }
    if (!reached.count && !ended.count) {
        phrase_add(f, "All blocks of the heap were freed.");
        return;
    }
    phrase_add(f, "No block of the heap was lost; ");
    if (reached.count) {
        append_blocks(f, &reached);
        phrase_add(f, " could still be reached at the end");
    }
    if (ended.count) {
        phrase_add(f, reached.count ? ", and " : "");
        append_blocks(f, &ended);
        phrase_add(f, " ended when their process became another program");
    }
    phrase_add(f, ".");
}

static void
add_leaks(struct session *session, struct findings *f, const struct heap *heap)
{
    const struct heap_stack *top = NULL;
    struct heap_count most = { 0, 0 }, all = { 0, 0 };

    for (u32 i = 0; i < heap->count; i++) {
        const struct heap_stack *s = &heap->stack[i];
        struct heap_count lost = heap_lost(&s->sums, &s->kept);

        add_count(&all, lost);
        if (lost.count && (!top || lost.bytes > most.bytes)) {
            top = s;
            most = lost;
        }
    }
    phrase_begin(f, FINDING_HEAP, "leaks");
    if (!top) {
        add_reached(f, heap);
        return;
    }
    append_blocks(f, &all);
    if (heap_ran_on(heap))
        phrase_add(f, " were alive at the end, ");
    else
        phrase_add(f, is_scanned(heap) ? " were lost, " : " were never freed, ");
    phrase_add_share(f, (double)most.bytes, (double)all.bytes);
    phrase_add(f, " of them from ");
    phrase_add_name(f, FIND_BY, phrase_place(f, session, top->node));
    phrase_add(f, ": ");
    append_blocks(f, &most);
    phrase_add(f, ".");
}

/*
 * Add to the sentence which function allocated most of what the process held at its
 * peak.
 */
static void
append_owner(struct findings *f, struct session *session, const struct heapown *own,
             u64 all)
{
    u32 top = 0;

    for (u32 i = 1; i < own->count; i++)
        if (own->peak_bytes[i] > own->peak_bytes[top])
            top = i;
    if (!top || !own->peak_bytes[top])
        return;
    phrase_add(f, "; ");
    phrase_add_share(f, (double)own->peak_bytes[top], (double)all);
    phrase_add(f, " of that, ");
    phrase_add_bytes(f, own->peak_bytes[top]);
    phrase_add(f, ", was allocated by ");
    phrase_add_name(f, FIND_BY, function_name(session, top));
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
    phrase_begin(f, FINDING_HEAP, recorded > 1 ? "heapstat" : "heap");
    phrase_add(f, "%s held ", recorded > 1 ? "One process" : "It");
    phrase_add_bytes(f, most->peak_bytes);
    phrase_add(f, " of heap at most, ");
    phrase_add_time(f, most->peak_time);
    phrase_add(f, " after its start");
    if (recorded == 1)
        append_owner(f, session, own, most->peak_bytes);
    phrase_add(f, ".");
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
