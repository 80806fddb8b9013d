/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes Chrome's trace format, which Perfetto reads: slices on tracks. A thread has a
 * track of the functions that it ran, made of clock hits; each hit reaches back in time
 * by its weight. Where hits come late and close to each other, the time that overlaps
 * is added to the next hit that has room for it. What would overlap with the functions
 * has other tracks: states in which the thread did not run, waits, I/O and MPI calls.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/value.h"
#include "print/base/array.h"
#include "print/model/symbols/frames.h"
#include "print/out/outevents.h"

/*
 * The tracks of a thread. The first has the thread's id; the others have ids that the
 * kernel gives to no thread.
 */
enum track {
    TRACK_CPU,
    TRACK_SPANS, /* the first of those of spans: one for each kind (enum outspan) */
    TRACK_COUNT = TRACK_SPANS + OUTSPAN_COUNT,
};

enum {
    TRACK_STEP = 1 << 24, /* added to thread ids; larger than any that the kernel
                             gives */
};

static const char *const track_names[TRACK_COUNT] = {
    [TRACK_CPU] = "",
    [TRACK_SPANS + OUTSPAN_STATE] = " (not running)",
    [TRACK_SPANS + OUTSPAN_WAIT] = " (waits)",
    [TRACK_SPANS + OUTSPAN_IO] = " (I/O)",
    [TRACK_SPANS + OUTSPAN_MPI] = " (MPI)",
    [TRACK_SPANS + OUTSPAN_CALL] = " (calls)",
};

/* A function that is open on a thread's track. */
struct slice {
    u32 func;
    u64 start;
};

struct lane {
    struct slice *open; /* the outermost first */
    u32 nopen, room;
    u64 end; /* of the last hit: all open functions last until then, at least */
    u64 owed; /* ns of hits that found no room: they overlapped with the hit before */
    bool has[TRACK_COUNT];
};

struct writer {
    struct out *out;
    struct lane *lane; /* of the current experiment, by index of its threads */
    const struct experiment *experiment;
    u32 index;
    u64 base;   /* CLOCK_MONOTONIC ns that is 0 in the trace */
    bool begun; /* something is written */
};

/* Microseconds, with all digits. */
static void
put_us(const char *key, u64 ns, FILE *f)
{
    fprintf(f, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void
begin(struct writer *w, const char *kind, const char *name, u32 tid)
{
    FILE *f = w->out->f;

    fprintf(f, "%s\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"name\":",
            w->begun ? "," : "", kind, w->index + 1, tid);
    out_string(name, f);
    w->begun = true;
}

static u32
track_id(const struct thread_row *thread, enum track track)
{
    return thread->tid + (u32)track * TRACK_STEP;
}

static void
put_slice(struct writer *w, const struct thread_row *thread, enum track track,
          const char *name, u64 start, u64 end)
{
    begin(w, "X", name, track_id(thread, track));
    put_us("ts", start, w->out->f);
    put_us("dur", end - start, w->out->f);
    w->lane[thread - w->experiment->threads.row].has[track] = true;
}

/* End all open functions of the lane but the `keep` outermost ones. */
static void
close_slices(struct writer *w, const struct thread_row *thread, struct lane *lane,
             u32 keep)
{
    while (lane->nopen > keep) {
        const struct slice *s = &lane->open[--lane->nopen];

        put_slice(w, thread, TRACK_CPU, function_title(w->out->session, s->func),
                  s->start, lane->end);
        fputs(",\"cat\":\"cpu\"}", w->out->f);
    }
}

/*
 * Where the slice of a hit begins that stands for `weight` ns and ends at `end`. A
 * timer may be late by one tick of the kernel, and in time again with its next hit. The
 * two hits are then closer to each other than their weight, and slices must not
 * overlap. So the time that overlaps is owed, and the next hit that has room for it
 * reaches back further. More than the hit's own weight is not owed: no late timer
 * causes that.
 */
static u64
slice_start(struct lane *lane, u64 weight, u64 end)
{
    u64 took = weight + lane->owed, room = end > lane->end ? end - lane->end : 0;

    lane->owed = took > room ? took - room : 0;
    if (lane->owed > weight)
        lane->owed = weight;
    return end - (took < room ? took : room);
}

/* Add a clock hit: the thread had its stack for `weight` ns until `end`. */
static int
add_hit(struct writer *w, const struct outevent *event, u64 weight, u64 end)
{
    struct lane *lane = &w->lane[event->thread - event->experiment->threads.row];
    u64 start = slice_start(lane, weight, end);
    struct stack_frame *frame;
    u32 count, same = 0;
    int ret;

    if (start == end)
        return 0;
    if (start > lane->end)
        close_slices(w, event->thread, lane, 0);
    ret = frames_of(w->out->session, event->node, &frame, &count);
    if (ret < 0)
        return ret;
    while (same < count && same < lane->nopen &&
           lane->open[same].func == frame[count - 1 - same].func)
        same++;
    close_slices(w, event->thread, lane, same);
    ret = array_room(&lane->open, &lane->room, count, sizeof(*lane->open));
    for (; ret == 0 && lane->nopen < count; lane->nopen++)
        lane->open[lane->nopen] =
            (struct slice){ frame[count - 1 - lane->nopen].func, start };
    lane->end = end;
    free(frame);
    return ret;
}

/* Write what the record has besides its time, and its stack. */
static int
put_details(struct writer *w, const struct outevent *event)
{
    static const char *const fields[] = { "bytes", "sent", "received", "error", "peer",
                                          "tag", "object" };
    const char **name, *sep = "";
    FILE *f = w->out->f;
    u32 count;
    int ret = outevents_stack(w->out->session, event->node, &name, &count);

    if (ret < 0)
        return ret;
    fprintf(f, ",\"cat\":\"%s\",\"args\":{", event->record->name);
    for (u32 i = 0; i < ER_COUNT(fields); i++) {
        u64 value = outevent_get(event, fields[i], 0);

        if (!value)
            continue;
        fprintf(f, "%s\"%s\":%" PRIu64, sep, fields[i], value);
        sep = ",";
    }
    fprintf(f, "%s\"stack\":\"", sep);
    for (u32 i = 0; i < count; i++) {
        fputs(i ? ";" : "", f);
        value_write_json(name[i], strlen(name[i]), f);
    }
    fputs("\"}}", f);
    free(name);
    return 0;
}

static int
on_event(void *context, const struct outevent *event)
{
    struct writer *w = context;
    u64 end = event->experiment->origin_mono - w->base + event->ns, took;
    enum outspan kind;
    const char *name;

    if (!event->thread)
        return 0;
    if (!strcmp(event->record->name, "clock"))
        return add_hit(w, event, outevent_get(event, "weight", 0), end);
    name = outevent_span(event, &kind, &took);
    if (!name)
        return 0;
    put_slice(w, event->thread, TRACK_SPANS + (enum track)kind, name,
              took < end ? end - took : 0, end);
    return put_details(w, event);
}

static void
put_name(struct writer *w, const char *what, u32 tid, const char *name,
         const char *more)
{
    begin(w, "M", what, tid);
    fputs(",\"args\":{\"name\":\"", w->out->f);
    value_write_json(name, strlen(name), w->out->f);
    fprintf(w->out->f, "%s\"}}", more);
}

/* Write the names of the tracks that have any data. */
static void
put_names(struct writer *w)
{
    const struct experiment *e = w->experiment;
    const char *program = log_fact(&e->log, "process", "exe");
    char more[40];

    snprintf(more, sizeof(more), " (%u)", e->pid);
    put_name(w, "process_name", 0, program ? program : experiment_base(e), more);
    for (u32 i = 0; i < e->threads.count; i++) {
        const struct thread_row *thread = &e->threads.row[i];
        char name[sizeof(thread->name) + 12];

        snprintf(name, sizeof(name), "%s %u", thread->name, thread->tid);
        close_slices(w, thread, &w->lane[i], 0);
        for (int t = 0; t < TRACK_COUNT; t++)
            if (w->lane[i].has[t])
                put_name(w, "thread_name", track_id(thread, (enum track)t), name,
                         track_names[t]);
    }
}

static int
put_experiment(struct writer *w)
{
    u32 count = w->experiment->threads.count;
    int ret;

    w->lane = calloc((size_t)count + 1, sizeof(*w->lane));
    if (!w->lane)
        return -ENOMEM;
    ret = outevents_scan_times(w->out, w->index, on_event, w);
    if (ret == 0)
        put_names(w);
    for (u32 i = 0; i < count; i++)
        free(w->lane[i].open);
    free(w->lane);
    return ret;
}

/* Write the intervals of time that er_label has named, on a track of the founder. */
static void
put_labels(struct writer *w, struct experiment *e)
{
    const struct labels *labels = experiment_labels(e, false);

    for (u32 i = 0; i < labels->count; i++) {
        const struct label *l = &labels->row[i];
        u64 last = experiment_since(e, e->end_mono);
        u64 stop = l->stop < last ? l->stop : last;

        if (l->start >= stop)
            continue;
        begin(w, "X", l->name, 0);
        put_us("ts", e->origin_mono - w->base + l->start, w->out->f);
        put_us("dur", stop - l->start, w->out->f);
        fputs(",\"cat\":\"label\"}", w->out->f);
    }
    if (labels->count)
        put_name(w, "thread_name", 0, "labels", "");
}

int
out_trace(struct out *out)
{
    struct writer w = { .out = out, .base = outevents_base(out->session) };
    struct session *s = out->session;
    int ret = 0;

    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out->f);
    for (w.index = 0; w.index < s->nexperiments && ret == 0; w.index++) {
        w.experiment = s->experiment[w.index];
        ret = put_experiment(&w);
        if (ret == 0 && s->experiment[w.index]->is_founder)
            put_labels(&w, s->experiment[w.index]);
    }
    fputs("\n]}\n", out->f);
    return ret;
}
