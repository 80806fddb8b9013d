/* SPDX-License-Identifier: Apache-2.0 */
/* What was never freed, and how much memory was held at most. */
#include "print/model/findings/say.h"
#include "print/model/findings/sections.h"
#include "print/model/heap/heap.h"

static void
add_leaks(struct session *session, struct findings *f, const struct heap *heap)
{
    const struct heap_stack *top = NULL;
    u64 bytes = 0, blocks = 0;

    for (u32 i = 0; i < heap->count; i++) {
        const struct heap_stack *s = &heap->stack[i];

        bytes += s->sums.leak_bytes;
        blocks += s->sums.leaks;
        if (s->sums.leaks && (!top || s->sums.leak_bytes > top->sums.leak_bytes))
            top = s;
    }
    say_begin(f, FINDING_HEAP, "leaks");
    if (!top) {
        say(f, "All blocks of the heap were freed.");
        return;
    }
    say_bytes(f, bytes);
    say(f, " in ");
    say_count(f, blocks, "block", "blocks");
    say(f, " were never freed, ");
    say_share(f, (double)top->sums.leak_bytes, (double)bytes);
    say(f, " of them from ");
    say_name(f, FIND_BY, say_place(f, session, top->node));
    say(f, ": ");
    say_bytes(f, top->sums.leak_bytes);
    say(f, " in ");
    say_count(f, top->sums.leaks, "block", "blocks");
    say(f, ".");
}

static void
add_peak(struct findings *f, const struct heap *heap)
{
    const struct heap_process *most = NULL;

    for (u32 i = 0; i < heap->nprocesses; i++)
        if (heap->process[i].recorded &&
            (!most || heap->process[i].peak_bytes > most->peak_bytes))
            most = &heap->process[i];
    if (!most || !most->peak_bytes)
        return;
    say_begin(f, FINDING_HEAP, "heapstat");
    say(f, "%s held ", heap->nprocesses > 1 ? "One process" : "It");
    say_bytes(f, most->peak_bytes);
    say(f, " of heap at most, ");
    say_time(f, most->peak_time);
    say(f, " after its start.");
}

int
sections_heap(struct session *session, struct findings *f)
{
    const struct heap *heap;
    int ret = 0;

    if (!sections_any(session, FILE_heaptrace))
        return 0;
    ret = heap_get(session, &heap);
    if (ret < 0)
        return ret;
    add_leaks(session, f, heap);
    add_peak(f, heap);
    return 0;
}
