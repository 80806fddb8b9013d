/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/record/decode.h"
#include "print/base/progress.h"
#include "print/load/record/relay.h"

enum {
    SLICE = 256,           /* records decoded at a time */
    EARLY_TICKS = 1 << 24, /* by which an event may precede its chunk's start */
};

/* A chunk that is being read. */
struct queue {
    struct queue *free; /* the next in the list merge.free */
    struct decoder *decoder;
    u64 where; /* the chunk's offset in the file */
    bool torn; /* the chunk's end is missing, which was reported */
    u32 number; /* of the chunk: at equal times, the lowest goes first */
    u32 at;     /* index of the next event */
    u32 count;  /* of events */
    bool more;  /* the chunk may have more records */
    struct event event[SLICE * MERGE_EVENTS_MAX];
};

/*
 * An element of the heap: a queue that has events, with the members by which queues are
 * compared. `order` is that of its next event.
 */
struct head {
    u64 order;
    u32 number;
    struct queue *queue;
};

struct chunk_place {
    const struct er_chunk *chunk;
    u64 where;
    u64 start; /* least possible order of its events */
    u32 committed;
};

struct merge {
    const struct record_source *source;
    const struct merge_sink *sink;
    struct relay *relay;
    struct record_count count;
    struct chunk_place *chunk;
    u32 chunks;
    u32 chunk_room;
    u32 next; /* index of the first chunk that is not begun */
    struct head *heap; /* the next in order at [0] */
    u32 heaped;
    u32 heap_room;
    struct queue *free;    /* queues that can be used again */
    struct queue *filling; /* the queue to which events are added */
    bool no_memory;
};

static void
on_record(void *context, const struct batch *batch)
{
    struct merge *m = context;
    struct queue *q = m->filling;

    q->count += m->sink->translate(m->sink->translator, batch, &q->event[q->count]);
}

static int
by_start(const void *a, const void *b)
{
    const struct chunk_place *left = a, *right = b;

    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return left->where < right->where ? -1 : left->where > right->where;
}

static int
list_chunks(struct merge *m)
{
    const struct record_source *source = m->source;
    struct chunk_cursor cursor = { .data = source->data, .size = source->size,
                                   .file = source->schema->number };
    struct chunk_place place = { 0 };
    int got;

    while ((got = chunk_next(&cursor, &place.chunk, &place.committed, &place.where))) {
        u64 tick = got > 0 ? place.chunk->tsc0 : 0;

        if (got < 0) {
            m->count.bad_chunks++;
            scan_report_bad_chunk(source, place.where);
            continue;
        }
        tick -= tick < EARLY_TICKS ? tick : EARLY_TICKS;
        place.start = tick >> source->schema->time_shift << 1;
        if (array_room(&m->chunk, &m->chunk_room, m->chunks + 1, sizeof(place)) < 0)
            return -ENOMEM;
        m->chunk[m->chunks++] = place;
    }
    if (m->chunks)
        qsort(m->chunk, m->chunks, sizeof(*m->chunk), by_start);
    return 0;
}

static struct queue *
acquire_queue(struct merge *m)
{
    struct record_sink sink = { on_record, m, false };
    struct queue *q = m->free;

    if (q) {
        m->free = q->free;
        return q;
    }
    q = malloc(sizeof(*q));
    if (!q)
        return NULL;
    q->decoder = decoder_new(m->source, &sink, 0, true);
    if (!q->decoder) {
        free(q);
        return NULL;
    }
    return q;
}

/* Decode records until the queue has an event, or its chunk ends. */
static void
fill(struct merge *m, struct queue *q)
{
    u32 at = 0;

    q->at = q->count = 0;
    m->filling = q;
    while (q->more && !q->count) {
        int ret = decoder_some(q->decoder, SLICE, &at);

        q->more = ret > 0;
        if (!q->more)
            m->count.records += decoder_delivered(q->decoder);
        if (ret < 0 && !q->torn) {
            m->count.bad_chunks++;
            scan_report_bad_record(m->source, q->where + at);
        }
    }
}

static struct head
head_of(struct queue *q)
{
    return (struct head){ q->event[q->at].order, q->number, q };
}

static bool
before(const struct head *a, const struct head *b)
{
    return a->order != b->order ? a->order < b->order : a->number < b->number;
}

/* Move the queue at `at` down to its place in the heap. */
static void
sink_down(struct merge *m, u32 at)
{
    struct head head = m->heap[at];

    for (;;) {
        u32 child = 2 * at + 1;

        if (child >= m->heaped)
            break;
        if (child + 1 < m->heaped && before(&m->heap[child + 1], &m->heap[child]))
            child++;
        if (!before(&m->heap[child], &head))
            break;
        m->heap[at] = m->heap[child];
        at = child;
    }
    m->heap[at] = head;
}

static void
rise(struct merge *m, u32 at)
{
    struct head head = m->heap[at];

    while (at && before(&head, &m->heap[(at - 1) / 2])) {
        m->heap[at] = m->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    m->heap[at] = head;
}

static void
release_queue(struct merge *m, struct queue *q)
{
    q->free = m->free;
    m->free = q;
}

/* Begin the next chunk: put a queue for it into the heap, if it has events. */
static void
begin(struct merge *m)
{
    const struct chunk_place *place = &m->chunk[m->next];
    u32 believed =
        scan_believe(m->source, place->chunk, place->committed, place->where);
    struct queue *q;

    progress_add(place->committed);
    m->count.chunks++;
    m->count.dropped += place->chunk->dropped;
    if (!(place->chunk->flags & CHUNK_SEALED))
        m->count.unsealed++;
    if (believed < place->chunk->committed)
        m->count.bad_chunks++;
    if (!believed) {
        m->next++;
        return;
    }
    q = acquire_queue(m);
    if (!q || array_room(&m->heap, &m->heap_room, m->heaped + 1,
                        sizeof(*m->heap)) < 0) {
        m->no_memory = true;
        if (q)
            release_queue(m, q);
        return;
    }
    q->where = place->where;
    q->torn = believed < place->chunk->committed;
    q->number = m->next++;
    q->more = true;
    decoder_begin(q->decoder, place->chunk, believed);
    fill(m, q);
    if (!q->count) {
        release_queue(m, q);
        return;
    }
    m->heap[m->heaped++] = head_of(q);
    rise(m, m->heaped - 1);
}

/*
 * The highest order up to which events of the top queue can be passed on without
 * comparing queues again.
 */
static u64
bound(const struct merge *m)
{
    u64 bound = m->next < m->chunks ? m->chunk[m->next].start : UINT64_MAX;

    for (u32 i = 1; i < 3 && i < m->heaped; i++) {
        u64 order = m->heap[i].order;

        /*
         * If two events have the same order, the queue with the lower number goes
         * first.
         */
        if (m->heap[0].number > m->heap[i].number)
            order = order ? order - 1 : 0;
        if (order < bound)
            bound = order;
    }
    return bound;
}

/* Pass on the first event of the top queue, and those after it within bound(). */
static void
drain(struct merge *m)
{
    struct queue *q = m->heap[0].queue;
    u64 limit = bound(m);
    u32 from = q->at;

    do {
        q->at++;
    } while (q->at < q->count && q->event[q->at].order <= limit);
    relay_send(m->relay, &q->event[from], q->at - from);
    if (q->at == q->count) {
        fill(m, q);
    }
    if (q->count) {
        m->heap[0] = head_of(q);
    } else {
        m->heap[0] = m->heap[--m->heaped];
        release_queue(m, q);
    }
    if (m->heaped)
        sink_down(m, 0);
}

static void
produce(void *context)
{
    struct merge *m = context;

    while (!m->no_memory && (m->heaped || m->next < m->chunks)) {
        if (m->next < m->chunks &&
            (!m->heaped || m->heap[0].order >= m->chunk[m->next].start))
            begin(m);
        else
            drain(m);
    }
}

static void
merge_close(struct merge *m)
{
    while (m->heaped)
        release_queue(m, m->heap[--m->heaped].queue);
    while (m->free) {
        struct queue *q = m->free;

        m->free = q->free;
        decoder_free(q->decoder);
        free(q);
    }
    free(m->heap);
    free(m->chunk);
}

int
merge_run(const struct record_source *source, const struct merge_sink *sink,
          bool beside, struct record_count *count)
{
    struct merge m = { .source = source, .sink = sink };
    int ret = list_chunks(&m);
    u64 bytes = 0;

    for (u32 i = 0; i < m.chunks; i++)
        bytes += m.chunk[i].committed;
    progress_begin("reading", source->path, bytes);
    if (ret == 0) {
        struct relay_ends ends = { produce, &m, sink->events, sink->context };

        ret = relay_run(&ends, beside && m.chunks > 1, &m.relay);
    }
    if (m.no_memory)
        ret = -ENOMEM;
    merge_close(&m);
    if (ret == 0 && count)
        *count = m.count;
    return ret;
}
