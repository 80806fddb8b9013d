/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/counter.h"

#include <linux/perf_event.h>

#include "collector/sig/clock.h"
#include "collector/sig/objtab.h"

enum {
    PAGE = 4096,
    NOT_RECORDING = CTL_ENDED | CTL_NO_SPACE | CTL_LIMIT | CTL_PAUSED,
};

/* Eight bytes of the ring at `at`; records are multiples of eight. */
static u64
word(const unsigned char *ring, u64 at)
{
    u64 value;

    __builtin_memcpy(&value, ring + (at & (PAGE - 1) & ~7ull), sizeof(value));
    return value;
}

/* perf_event_open(2): the records' headers, SAMPLE with an address, LOST. */
u64
counter_take(struct thread_counter *c, u64 *addr)
{
    struct perf_event_mmap_page *page = c->page;
    const unsigned char *ring;
    u64 head, at, overflows = 0;

    if (!page || c->bytes < 2 * PAGE)
        return 1;
    ring = (const unsigned char *)page + PAGE;
    head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    for (at = page->data_tail; at < head && head - at <= PAGE;) {
        u64 first = word(ring, at);
        u32 type = (u32)first, size = first >> 48;

        if (type == PERF_RECORD_SAMPLE) {
            overflows++;
            if (addr)
                *addr = word(ring, at + 8);
        } else if (type == PERF_RECORD_LOST) {
            overflows += word(ring, at + 16);
        }
        if (size < 8)
            break;
        at += size;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
    return overflows;
}

static const unsigned char *
encode(struct codec *codec, unsigned char *p, const struct rec_access *r, int address)
{
    struct rec_count count = { r->time, r->node, r->cpu, r->counter, r->value };

    return address ? rec_put_access(codec, p, r) : rec_put_count(codec, p, &count);
}

static void
record(struct thread *t, const struct rec_access *r, int address)
{
    struct chunk_writer *w = &t->hwcounters;
    unsigned char *p = writer_begin(w, FILE_hwcounters, t->id, r->time, ER_RECORD_MAX);

    t->count_events++;
    if (ER_LIKELY(p != NULL))
        writer_commit(w, encode(&w->codec, p, r, address));
    else
        t->count_dropped++;
    if (t->row) {
        t->row->count_seen = t->count_events;
        t->row->count_dropped = t->count_dropped;
    }
}

void
sig_count(struct thread *t, struct thread_counter *c, const ucontext_t *uc)
{
    const struct ctl_counter *how = &space_ctl->counter[c->index];
    u32 flags = __atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED);
    struct rec_access r = { .counter = c->index };

    r.value = counter_take(c, &r.vaddr) * how->interval;
    if (!r.value || (flags & NOT_RECORDING))
        return;
    r.time = clock_ticks(&r.cpu);
    if (ER_UNLIKELY(node_segment_wanted))
        space_more_nodes();
    r.node = sig_walk(t->walk, uc);
    if (ER_UNLIKELY(objtab_refresh_wanted))
        space_want(WANT_MAP);
    record(t, &r, (how->flags & COUNTER_ADDRESS) != 0);
}
