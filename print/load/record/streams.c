/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/record/decode.h"
#include "print/base/progress.h"

enum {
    SLICE = 64,            /* records of a thread that are decoded at a time */
    EARLY_TICKS = 1 << 24, /* by which an event may precede its chunk's start */
};

struct chunk_place {
    const struct er_chunk *chunk;
    u64 where; /* its offset in the file */
    u32 source; /* index of the source */
    u32 committed; /* bytes that can be decoded, with the header */
};

/* The chunks of one thread, in order; its nested chunks are another stream. */
struct stream {
    u32 source;
    u32 chunk, end; /* chunks left: [chunk, end); the one before is being read */
    bool more;      /* there may be more records in the chunk being read */
    struct decoder *decoder; /* NULL = not opened yet, or closed */
    unsigned char *event; /* room for SLICE events */
    u32 at, count;        /* index of the next event; number of events */
};

struct head {
    int64_t moment;
    u32 stream;
};

struct streams {
    const struct record_source *source;
    const struct streams_sink *sink;
    struct chunk_place *chunk;
    u32 chunks, chunk_room;
    struct stream *stream;
    u32 count, room;
    struct head *heap; /* the earliest at [0] */
    u32 heaped;
    struct stream *filling; /* the stream to which decoded events are added */
};

static int64_t
moment_of(const void *event)
{
    int64_t moment;

    memcpy(&moment, event, sizeof(moment));
    return moment;
}

static void
on_record(void *context, const struct batch *batch)
{
    struct streams *s = context;
    struct stream *stream = s->filling;

    stream->count += s->sink->translate(
        s->sink->context, stream->source, batch,
        stream->event + (size_t)stream->count * s->sink->size);
}

static bool
is_nested(const struct er_chunk *chunk)
{
    return chunk->flags & CHUNK_NESTED;
}

/* By source, thread and nesting, then in the order in which they were written. */
static int
by_stream(const void *a, const void *b)
{
    const struct chunk_place *x = a, *y = b;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->chunk->thread_id != y->chunk->thread_id)
        return x->chunk->thread_id < y->chunk->thread_id ? -1 : 1;
    if (is_nested(x->chunk) != is_nested(y->chunk))
        return is_nested(x->chunk) ? 1 : -1;
    if (x->chunk->tsc0 != y->chunk->tsc0)
        return x->chunk->tsc0 < y->chunk->tsc0 ? -1 : 1;
    return x->where < y->where ? -1 : x->where > y->where;
}

static int
list_chunks(struct streams *s, u32 number)
{
    const struct record_source *source = &s->source[number];
    struct chunk_cursor cursor = { .data = source->data, .size = source->size };
    struct chunk_place place = { .source = number };
    int got;

    if (!source->data)
        return 0;
    cursor.file = source->schema->number;
    while ((got = chunk_next(&cursor, &place.chunk, &place.committed, &place.where))) {
        if (got < 0) {
            scan_report_bad_chunk(source, place.where);
            continue;
        }
        place.committed =
            scan_believe(source, place.chunk, place.committed, place.where);
        if (!place.committed)
            continue;
        if (array_room(&s->chunk, &s->chunk_room, s->chunks + 1, sizeof(place)) < 0)
            return -ENOMEM;
        s->chunk[s->chunks++] = place;
    }
    return 0;
}

static bool
same_stream(const struct chunk_place *a, const struct chunk_place *b)
{
    return a->source == b->source && a->chunk->thread_id == b->chunk->thread_id &&
           is_nested(a->chunk) == is_nested(b->chunk);
}

static int
list_streams(struct streams *s)
{
    if (s->chunks)
        qsort(s->chunk, s->chunks, sizeof(*s->chunk), by_stream);
    for (u32 i = 0; i < s->chunks; i++) {
        if (i && same_stream(&s->chunk[i - 1], &s->chunk[i])) {
            s->stream[s->count - 1].end = i + 1;
            continue;
        }
        if (array_room(&s->stream, &s->room, s->count + 1, sizeof(*s->stream)) < 0)
            return -ENOMEM;
        s->stream[s->count++] =
            (struct stream){ .source = s->chunk[i].source, .chunk = i, .end = i + 1 };
    }
    return 0;
}

/*
 * The place in the heap of a stream that is not opened yet: by the earliest time that
 * its first record can have.
 */
static struct head
first_head(const struct streams *s, u32 number)
{
    const struct stream *stream = &s->stream[number];
    u64 tick = s->chunk[stream->chunk].chunk->tsc0;

    tick -= tick < EARLY_TICKS ? tick : EARLY_TICKS;
    return (struct head){
        s->sink->moment(s->sink->context, stream->source, tick), number
    };
}

static bool
before(const struct head *a, const struct head *b)
{
    return a->moment != b->moment ? a->moment < b->moment : a->stream < b->stream;
}

static void
sink_down(struct streams *s, u32 at)
{
    struct head head = s->heap[at];

    for (u32 child; (child = 2 * at + 1) < s->heaped; at = child) {
        if (child + 1 < s->heaped && before(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!before(&s->heap[child], &head))
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = head;
}

static void
close_stream(struct stream *stream)
{
    decoder_free(stream->decoder);
    free(stream->event);
    stream->decoder = NULL;
    stream->event = NULL;
    stream->count = 0;
}

static int
open_stream(struct streams *s, struct stream *stream)
{
    struct record_sink sink = { on_record, s, false };

    stream->decoder = decoder_new(&s->source[stream->source], &sink, 0, true);
    stream->event = malloc((size_t)SLICE * s->sink->size);
    return stream->decoder && stream->event ? 0 : -ENOMEM;
}

/* Is the end of the chunk missing? If so, that was reported. */
static bool
is_torn(const struct chunk_place *place)
{
    return place->committed < place->chunk->committed;
}

/* Decode records until the stream has an event, or its chunks end. */
static void
fill(struct streams *s, struct stream *stream)
{
    u32 at = 0;

    stream->at = stream->count = 0;
    s->filling = stream;
    while (!stream->count && (stream->more || stream->chunk < stream->end)) {
        int ret;

        if (!stream->more) {
            const struct chunk_place *place = &s->chunk[stream->chunk++];

            progress_add(place->committed);
            decoder_begin(stream->decoder, place->chunk, place->committed);
        }
        ret = decoder_some(stream->decoder, SLICE, &at);
        stream->more = ret > 0;
        if (ret < 0 && !is_torn(&s->chunk[stream->chunk - 1]))
            scan_report_bad_record(&s->source[stream->source],
                                      s->chunk[stream->chunk - 1].where + at);
    }
}

/*
 * Go to the next event of the stream that is on top of the heap; to the first one if it
 * is not opened yet. Close it after the last event. 0 or -ENOMEM.
 */
static int
advance(struct streams *s, struct stream *stream)
{
    if (!stream->decoder) {
        if (open_stream(s, stream) < 0)
            return -ENOMEM;
        fill(s, stream);
    } else if (++stream->at == stream->count) {
        fill(s, stream);
    }
    if (stream->count) {
        s->heap[0].moment =
            moment_of(stream->event + (size_t)stream->at * s->sink->size);
    } else {
        close_stream(stream);
        s->heap[0] = s->heap[--s->heaped];
    }
    if (s->heaped)
        sink_down(s, 0);
    return 0;
}

static void
begin_progress(const struct streams *s)
{
    u64 bytes = 0;

    for (u32 i = 0; i < s->chunks; i++)
        bytes += s->chunk[i].committed;
    progress_begin("reading", s->count ? s->source[s->stream[0].source].path : "",
                   bytes);
}

static int
run(struct streams *s)
{
    int ret = 0;

    begin_progress(s);
    for (u32 i = 0; i < s->count; i++)
        s->heap[s->heaped++] = first_head(s, i);
    for (u32 i = s->heaped / 2; i-- > 0;)
        sink_down(s, i);
    while (s->heaped && ret == 0) {
        struct stream *stream = &s->stream[s->heap[0].stream];

        if (stream->decoder &&
            !s->sink->use(s->sink->context, stream->source,
                          stream->event + (size_t)stream->at * s->sink->size))
            break;
        ret = advance(s, stream);
    }
    return ret;
}

int
streams_run(const struct record_source *source, u32 count,
            const struct streams_sink *sink)
{
    struct streams s = { .source = source, .sink = sink };
    int ret = 0;

    for (u32 i = 0; i < count && ret == 0; i++)
        ret = list_chunks(&s, i);
    if (ret == 0)
        ret = list_streams(&s);
    if (ret == 0) {
        s.heap = calloc((size_t)s.count + 1, sizeof(*s.heap));
        ret = s.heap ? run(&s) : -ENOMEM;
    }
    for (u32 i = 0; i < s.count; i++)
        close_stream(&s.stream[i]);
    free(s.heap);
    free(s.stream);
    free(s.chunk);
    return ret;
}
