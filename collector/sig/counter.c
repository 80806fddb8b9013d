/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/counter.h"

#include <linux/mempolicy.h>
#include <linux/perf_event.h>

#include "collector/sig/clock.h"
#include "collector/sig/objtab.h"
#include "collector/sig/probe.h"
#include "collector/sig/python.h"
#include "collector/sig/sys.h"
#include "share/branch.h"

enum {
    PAGE = 4096,
    BRANCHES_AT = 32,  /* in a sample: after header, pc, address, number of branches */
    BRANCH_WORDS = 24, /* bytes of a branch */
};

u32 counter_no_home;

static struct perf_event_mmap_page *
page_of(const struct thread_counter *c)
{
    return c->page;
}

/* The eight bytes of the ring at `at`. Sizes of records are multiples of eight. */
static u64
word(const struct thread_counter *c, u64 at)
{
    const unsigned char *ring = (const unsigned char *)c->page + PAGE;
    u64 value;

    __builtin_memcpy(&value, ring + (at & (PAGE - 1) & ~7ull), sizeof(value));
    return value;
}

struct counter_notes
counter_notes(struct thread_counter *c)
{
    const struct perf_event_mmap_page *page = page_of(c);
    struct counter_notes notes = { .counter = c };

    if (!page || c->bytes < 2 * PAGE) {
        notes.head = 1;
        return notes;
    }
    notes.at = page->data_tail;
    notes.head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    return notes;
}

/*
 * Read a record of the ring, laid out as perf_event_open(2) says: SAMPLE with a pc and
 * addresses, LOST with an id and a number. 1; 0 = a record of another type.
 */
static int
read_note(const struct thread_counter *c, u64 at, u32 type, int paddr,
          struct counter_note *note)
{
    *note = (struct counter_note){ .count = 1 };
    switch (type) {
    case PERF_RECORD_SAMPLE:
        note->kind = NOTE_OVERFLOW;
        note->pc = word(c, at + 8);
        note->addr = word(c, at + 16);
        note->paddr = paddr ? word(c, at + 24) : 0;
        return 1;
    case PERF_RECORD_LOST:
        note->kind = NOTE_LOST;
        note->count = word(c, at + 16);
        return 1;
    case PERF_RECORD_THROTTLE:
        note->kind = NOTE_THROTTLED;
        return 1;
    default:
        return 0;
    }
}

int
counter_next(struct counter_notes *notes, int paddr, struct counter_note *note)
{
    struct thread_counter *c = notes->counter;

    if (!c->page || c->bytes < 2 * PAGE) {
        *note = (struct counter_note){ .kind = NOTE_OVERFLOW, .count = 1 };
        return (int)notes->head--;
    }
    while (notes->at < notes->head && notes->head - notes->at <= PAGE) {
        u64 at = notes->at, first = word(c, at);
        u32 size = first >> 48;

        if (size < 8)
            break;
        notes->at += size;
        if (read_note(c, at, (u32)first, paddr, note)) {
            note->at = at;
            note->size = size;
            return 1;
        }
    }
    __atomic_store_n(&page_of(c)->data_tail, notes->head, __ATOMIC_RELEASE);
    return 0;
}

u32
counter_branches(const struct thread_counter *c, const struct counter_note *note,
                 unsigned char *steps)
{
    u64 count = note->size >= BRANCHES_AT ? word(c, note->at + BRANCHES_AT - 8) : 0;
    u64 at = 0, where = note->at + BRANCHES_AT;
    unsigned char *p = steps;

    if (!count || count > (note->size - BRANCHES_AT) / BRANCH_WORDS)
        return 0;
    for (; count && ER_STR_MAX - (p - steps) >= BRANCH_BYTES_MAX; count--) {
        struct branch b = branch_of_words(word(c, where), word(c, where + 8),
                                          word(c, where + 16));

        if (b.from || b.to)
            p = branch_put(p, &at, &b);
        where += BRANCH_WORDS;
    }
    return (u32)(p - steps);
}

u32
counter_home(u64 addr, u32 nodes)
{
    int node = 0;

    if (!addr)
        return 0;
    if (nodes == 1)
        return 1;
    if (counter_no_home ||
        sys_call6(SYS_get_mempolicy, (long)(uintptr_t)&node, 0, 0, (long)addr,
                  MPOL_F_NODE | MPOL_F_ADDR, 0) < 0)
        return 0;
    return (u32)node + 1;
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
}

/*
 * Record the branches of a hit, which are not counted as a further hit. Not inlined, so
 * that other hits need no room on the stack for the buffer.
 */
static __attribute__((noinline)) void
record_branches(struct thread *t, const struct thread_counter *c,
                const struct rec_access *hit, const struct counter_note *note)
{
    struct chunk_writer *w = &t->hwcounters;
    unsigned char steps[ER_STR_MAX], *p;
    struct rec_branches r = { .time = hit->time, .node = hit->node, .cpu = hit->cpu };

    r.steps = (struct er_str){ (const char *)steps, counter_branches(c, note, steps) };
    if (!r.steps.len)
        return;
    p = writer_begin(w, FILE_hwcounters, t->id, r.time, ER_RECORD_MAX + ER_STR_MAX);
    if (p)
        writer_commit(w, rec_put_branches(&w->codec, p, &r));
}

static void
record_access(struct thread *t, struct rec_access *r, const struct counter_note *note)
{
    r->vaddr = note->addr;
    r->paddr = note->paddr;
    r->home = counter_home(note->addr, space_ctl->nodes);
    r->stack = (u32)walk_on_stack(t->walk, note->addr);
    record(t, r, 1);
}

static void
update_row(const struct thread *t)
{
    if (!t->row)
        return;
    t->row->count_seen = t->count_events;
    t->row->count_dropped = t->count_dropped;
    t->row->count_lost = t->count_lost;
    t->row->count_throttled = t->count_throttled;
}

/*
 * 1 if a software event, such as a page fault, was in the collector's code: it is left
 * out. Hits of software clocks and of the processor's counters are kept.
 */
static int
is_own(const struct ctl_counter *how, u64 pc)
{
    struct objtab_object object;

    return how->type == PERF_TYPE_SOFTWARE && how->config != PERF_COUNT_SW_CPU_CLOCK &&
           how->config != PERF_COUNT_SW_TASK_CLOCK && objtab_find(pc, &object) &&
           object.flags & OBJTAB_OURS;
}

/*
 * Read the notes of counter c, and write one record for all overflows that the signal
 * stands for; if the counter has addresses, one for each overflow that is described,
 * and one for the others. on: hits are recorded now.
 */
static void
record_notes(struct thread *t, struct thread_counter *c, struct rec_access *r, int on)
{
    const struct ctl_counter *how = &space_ctl->counter[c->index];
    struct counter_notes notes = counter_notes(c);
    int address = (how->flags & COUNTER_ADDRESS) != 0;
    u64 rest = 0;
    struct counter_note note;

    r->value = how->interval;
    while (counter_next(&notes, how->flags & COUNTER_PHYSICAL && c->physical, &note)) {
        if (note.kind == NOTE_THROTTLED) {
            t->count_throttled++;
            continue;
        }
        if (note.kind == NOTE_OVERFLOW && is_own(how, note.pc))
            continue;
        if (note.kind == NOTE_LOST && on)
            t->count_lost += note.count;
        if (note.kind == NOTE_OVERFLOW && how->flags & COUNTER_BRANCHES && on)
            record_branches(t, c, r, &note);
        if (note.kind == NOTE_OVERFLOW && address && on)
            record_access(t, r, &note);
        else
            rest += note.count;
    }
    if (!rest || !on)
        return;
    r->value = rest * how->interval;
    r->vaddr = r->paddr = r->home = r->stack = 0;
    record(t, r, address);
}

/*
 * 1 if the counter has hits that were not read yet. If it has no page of records, only
 * the signal says so.
 */
static int
has_notes(const struct thread_counter *c, int signalled)
{
    const struct perf_event_mmap_page *page = page_of(c);

    if (!page || c->bytes < 2 * PAGE)
        return signalled;
    return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) != page->data_tail;
}

static void
place_record(struct thread *t, struct rec_access *r, const ucontext_t *uc)
{
    u32 node;

    r->time = clock_ticks(&r->cpu);
    if (ER_UNLIKELY(node_segment_wanted))
        space_more_nodes();
    node = sig_walk(t->walk, uc);
    r->node = sig_walk_own(t->walk, node, uc);
    if (r->node == node)
        r->node = sig_python(t, node, uc);
    if (ER_UNLIKELY(objtab_refresh_wanted))
        space_want(WANT_MAP);
}

/* The pc of c's next record; 0 = there is none, or it is not an overflow. */
static u64
first_pc(struct thread_counter *c)
{
    struct counter_notes notes = counter_notes(c);
    struct counter_note note;
    u64 first;

    if (!c->page || c->bytes < 2 * PAGE || notes.at >= notes.head)
        return 0;
    first = word(c, notes.at);
    return read_note(c, notes.at, (u32)first, 0, &note) &&
                   note.kind == NOTE_OVERFLOW
               ? note.pc
               : 0;
}

/*
 * If the counter is a probe, and the signal arrived at another place than the probed
 * instruction, replace r->node by the stack at that instruction.
 */
static void
place_probe(struct thread *t, struct thread_counter *c, struct rec_access *r,
            const ucontext_t *uc)
{
    ucontext_t at;

    if (space_ctl->counter[c->index].flags & COUNTER_PROBE &&
        probe_context(&at, uc, first_pc(c)))
        r->node = sig_python(t, sig_walk(t->walk, &at), &at);
}

void
sig_count(struct thread *t, int signalled, const ucontext_t *uc)
{
    u32 flags = __atomic_load_n(&space_ctl->flags, __ATOMIC_RELAXED) | t->alone;
    int on = !(flags & CTL_SILENT), placed = 0;
    struct rec_access place = { .time = 0 };

    for (u32 i = 0; i < t->counters; i++) {
        struct thread_counter *c = &t->counter[i];
        struct rec_access r;

        if (!has_notes(c, signalled == (int)i))
            continue;
        if (on && !placed)
            place_record(t, &place, uc);
        placed = 1;
        r = place;
        r.counter = c->index;
        if (on)
            place_probe(t, c, &r, uc);
        record_notes(t, c, &r, on);
    }
    if (placed)
        update_row(t);
}
