/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the Firefox Profiler's format for processed profiles, in a version that the
 * site still accepts. A thread's clock hits are its samples, with the CPU time for
 * which they stand as weights. States in which it did not run, waits, I/O and MPI calls
 * are markers.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "print/base/array.h"
#include "print/out/foxtables.h"
#include "print/out/outevents.h"
#include "print/out/outtext.h"

enum {
    MARKER_INTERVAL = 1, /* a marker's phase: it has a start and an end */
};

struct hit {
    u64 ns; /* since writer.base */
    u64 weight;
    u32 node; /* the session's; after find_stacks(): its stack's row + 1 */
    bool kernel;
};

struct span {
    u64 start, end; /* ns since writer.base */
    u64 bytes;      /* 0 = none, or not known */
    const char *name;
    u32 name_number; /* of the thread's strings */
    u32 node;        /* as in struct hit */
    enum outspan kind;
};

struct lane {
    const struct experiment *experiment;
    const struct thread_row *thread;
    u32 namesakes; /* experiments before its own with the same process id */
    struct hit *hit;
    struct span *span;
    u32 nhits, hit_room;
    u32 nspans, span_room;
};

/* The stack of a node in the tables of a thread, so that each is looked up once. */
struct known {
    u32 lane; /* whose table it is: index in writer.lane, + 1; 0 = none */
    u32 stack; /* row of the stack table, + 1; 0 = it has no frames */
};

struct writer {
    struct out *out;
    struct known *known; /* two for each node: of hits in user code, in the kernel */
    struct lane *lane; /* of all threads of all experiments */
    u32 nlanes, first; /* first: index of the current experiment's first lane */
    u64 base;          /* CLOCK_MONOTONIC ns that is 0 in the profile */
    u64 homeless;      /* number of hits without a known thread */
    const struct schema_record *record; /* of the last event; its fields follow, -1 =
                                           it has none */
    int weight, mstate;
    bool is_hit;
    struct stackset set;
    struct foxrows libs;
};

static const struct {
    const char *name, *color;
} categories[FOX_CATEGORIES] = {
    [FOX_USER] = { "User code", "yellow" },
    [FOX_LIBRARY] = { "Library", "lightblue" },
    [FOX_KERNEL] = { "Kernel", "orange" },
    [FOX_WAITING] = { "Waiting", "purple" },
    [FOX_OTHER] = { "Other", "grey" },
};

/* The types of markers. */
static const char *const span_types[OUTSPAN_COUNT] = {
    [OUTSPAN_STATE] = "Not running", [OUTSPAN_WAIT] = "Wait", [OUTSPAN_IO] = "I/O",
    [OUTSPAN_MPI] = "MPI", [OUTSPAN_CALL] = "Call",
};

/* Milliseconds, with all digits. */
static void
put_ms(u64 ns, FILE *f)
{
    fprintf(f, "%" PRIu64 ".%06u", ns / 1000000, (unsigned)(ns % 1000000));
}

static int
add_span(struct lane *lane, const struct outevent *event, u64 end)
{
    struct span span = { .end = end, .node = event->node };
    u64 took;
    int ret;

    span.name = outevent_span(event, &span.kind, &took);
    if (!span.name)
        return 0;
    span.start = took < end ? end - took : 0;
    span.bytes = outevent_get(event, "bytes", 0);
    ret = array_room(&lane->span, &lane->span_room, lane->nspans + 1, sizeof(span));
    if (ret == 0)
        lane->span[lane->nspans++] = span;
    return ret;
}

/* Find the fields of a kind of records, of which there are many in a row. */
static void
find_fields(struct writer *w, const struct schema_record *record)
{
    w->record = record;
    w->is_hit = !strcmp(record->name, "clock");
    w->weight = schema_find_number(record, "weight");
    w->mstate = schema_find_number(record, "mstate");
}

static int
on_event(void *context, const struct outevent *event)
{
    struct writer *w = context;
    u64 ns = event->experiment->origin_mono - w->base + event->ns;
    struct lane *lane;
    bool is_hit;
    int ret;

    if (event->record != w->record)
        find_fields(w, event->record);
    is_hit = w->is_hit;

    if (!event->thread) {
        w->homeless += is_hit;
        return 0;
    }
    lane = &w->lane[w->first + (event->thread - event->experiment->threads.row)];
    if (!is_hit)
        return add_span(lane, event, ns);
    ret = array_room(&lane->hit, &lane->hit_room, lane->nhits + 1, sizeof(*lane->hit));
    if (ret == 0)
        lane->hit[lane->nhits++] = (struct hit){
            .ns = ns, .weight = w->weight < 0 ? 0 : event->row[w->weight],
            .node = event->node,
            .kernel = w->mstate >= 0 && event->row[w->mstate] == MSTATE_SYSTEM,
        };
    return ret;
}

/*
 * How many experiments before experiment i have the same process id: the program before
 * an exec, or a process on another host.
 */
static u32
count_namesakes(const struct session *s, u32 i)
{
    u32 count = 0;

    for (u32 k = 0; k < i; k++)
        count += s->experiment[k]->pid == s->experiment[i]->pid;
    return count;
}

/* Read the samples and markers of all threads. */
static int
read_lanes(struct writer *w)
{
    struct session *s = w->out->session;
    int ret = 0;

    for (u32 i = 0; i < s->nexperiments; i++)
        w->nlanes += s->experiment[i]->threads.count;
    w->lane = calloc((size_t)w->nlanes + 1, sizeof(*w->lane));
    if (!w->lane)
        return -ENOMEM;
    for (u32 i = 0; i < s->nexperiments && ret == 0; i++) {
        const struct threads *threads = &s->experiment[i]->threads;
        u32 namesakes = count_namesakes(s, i);

        for (u32 k = 0; k < threads->count; k++) {
            w->lane[w->first + k].experiment = s->experiment[i];
            w->lane[w->first + k].namesakes = namesakes;
            w->lane[w->first + k].thread = &threads->row[k];
        }
        ret = outevents_scan_times(w->out, i, on_event, w);
        w->first += threads->count;
    }
    return ret;
}

/*
 * Find the stacks of a thread's samples and markers, and add them to the tables.
 */
static int
find_stacks(const struct writer *w, struct lane *lane, struct foxtables *t)
{
    u32 mine = (u32)(lane - w->lane) + 1;
    int64_t stack = -1;
    int ret = 0;

    for (u32 i = 0; i < lane->nhits && ret == 0; i++) {
        struct hit *hit = &lane->hit[i];
        struct known *known = &w->known[2 * (size_t)hit->node + hit->kernel];

        if (known->lane != mine) {
            ret = foxtables_stack(t, hit->node, hit->kernel, &stack);
            *known = (struct known){ mine, (u32)(stack + 1) };
        }
        hit->node = known->stack;
    }
    for (u32 i = 0; i < lane->nspans && ret == 0; i++) {
        struct span *span = &lane->span[i];

        ret = foxtables_stack(t, span->node, false, &stack);
        span->node = (u32)(stack + 1);
        if (ret == 0)
            ret = foxtables_string(t, span->name, &span->name_number);
    }
    return ret;
}

static void
put_samples(const struct lane *lane, FILE *f)
{
    struct outtext t;

    fprintf(f, ",\n\"samples\":{\"length\":%u,\"weightType\":\"tracing-ms\"",
            lane->nhits);
    outtext_start(&t, f);
    outtext_text(&t, ",\n\"stack\":[");
    for (u32 i = 0; i < lane->nhits; i++) {
        if (i)
            outtext_char(&t, ',');
        if (lane->hit[i].node)
            outtext_number(&t, lane->hit[i].node - 1);
        else
            outtext_put(&t, "null", 4);
    }
    outtext_text(&t, "],\n\"time\":[");
    for (u32 i = 0; i < lane->nhits; i++) {
        if (i)
            outtext_char(&t, ',');
        outtext_ms(&t, lane->hit[i].ns);
    }
    outtext_text(&t, "],\n\"weight\":[");
    for (u32 i = 0; i < lane->nhits; i++) {
        if (i)
            outtext_char(&t, ',');
        outtext_ms(&t, lane->hit[i].weight);
    }
    outtext_text(&t, "],\n\"threadCPUDelta\":[");
    for (u32 i = 0; i < lane->nhits; i++) {
        if (i)
            outtext_char(&t, ',');
        outtext_number(&t, lane->hit[i].weight);
    }
    outtext_put(&t, "]}", 2);
    outtext_flush(&t);
}

static void
put_marker_data(const struct span *span, FILE *f)
{
    fputs("{\"type\":", f);
    out_string(span_types[span->kind], f);
    if (span->bytes)
        fprintf(f, ",\"bytes\":%" PRIu64, span->bytes);
    if (span->node) {
        fputs(",\"cause\":{\"time\":", f);
        put_ms(span->end, f);
        fprintf(f, ",\"stack\":%u}", span->node - 1);
    }
    putc('}', f);
}

static void
put_markers(const struct lane *lane, FILE *f)
{
    fprintf(f, ",\n\"markers\":{\"length\":%u,\n\"data\":[", lane->nspans);
    for (u32 i = 0; i < lane->nspans; i++) {
        fputs(i ? ",\n" : "", f);
        put_marker_data(&lane->span[i], f);
    }
    fputs("],\n\"name\":[", f);
    for (u32 i = 0; i < lane->nspans; i++)
        fprintf(f, "%s%u", i ? "," : "", lane->span[i].name_number);
    fputs("],\n\"startTime\":[", f);
    for (u32 i = 0; i < lane->nspans; i++) {
        fputs(i ? "," : "", f);
        put_ms(lane->span[i].start, f);
    }
    fputs("],\n\"endTime\":[", f);
    for (u32 i = 0; i < lane->nspans; i++) {
        fputs(i ? "," : "", f);
        put_ms(lane->span[i].end, f);
    }
    fputs("],\n\"phase\":[", f);
    for (u32 i = 0; i < lane->nspans; i++)
        fprintf(f, "%s%d", i ? "," : "", MARKER_INTERVAL);
    fputs("],\n\"category\":[", f);
    for (u32 i = 0; i < lane->nspans; i++)
        fprintf(f, "%s%d", i ? "," : "", FOX_WAITING);
    fputs("]}", f);
}

/* Write a time of CLOCK_MONOTONIC; one before the profile's beginning becomes 0. */
static void
put_mono(const struct writer *w, const char *key, u64 mono, FILE *f)
{
    fprintf(f, ",\"%s\":", key);
    put_ms(mono > w->base ? mono - w->base : 0, f);
}

/*
 * Write a process id. The site takes threads with the same process id for one process:
 * so a suffix makes the id of another process unique.
 */
static void
put_id(const char *key, u32 id, u32 namesakes, FILE *f)
{
    fprintf(f, ",\"%s\":\"%u", key, id);
    if (namesakes)
        fprintf(f, ".%u", namesakes);
    putc('"', f);
}

static void
put_thread_facts(const struct writer *w, const struct lane *lane, FILE *f)
{
    const struct experiment *e = lane->experiment;
    const struct thread_row *thread = lane->thread;
    const char *program = log_fact(&e->log, "process", "exe");
    bool is_main = thread->tid == e->pid;

    if (!program)
        program = experiment_base(e);
    fputs("{\"processType\":\"default\",\"processName\":", f);
    out_string(strrchr(program, '/') ? strrchr(program, '/') + 1 : program, f);
    fputs(",\"name\":", f);
    out_string(*thread->name ? thread->name : "thread", f);
    fprintf(f, ",\"isMainThread\":%s,\"pausedRanges\":[]", is_main ? "true" : "false");
    put_id("pid", e->pid, lane->namesakes, f);
    put_id("tid", thread->tid, lane->namesakes, f);
    put_mono(w, "processStartupTime", e->start_mono, f);
    put_mono(w, "processShutdownTime", e->end_mono, f);
    put_mono(w, "registerTime", thread->birth, f);
    if (thread->death)
        put_mono(w, "unregisterTime", thread->death, f);
    else
        fputs(",\"unregisterTime\":null", f);
}

static int
put_thread(struct writer *w, struct lane *lane)
{
    FILE *f = w->out->f;
    struct foxtables tables;
    int ret;

    foxtables_open(&tables, &w->set, &w->libs);
    ret = find_stacks(w, lane, &tables);
    if (ret == 0) {
        put_thread_facts(w, lane, f);
        put_samples(lane, f);
        put_markers(lane, f);
        foxtables_write(&tables, f);
        putc('}', f);
    }
    foxtables_close(&tables);
    return ret;
}

/* Write the threads that have data, and each process's main thread. */
static int
put_threads(struct writer *w)
{
    const char *sep = "\n";
    int ret = 0;

    for (u32 i = 0; i < w->nlanes && ret == 0; i++) {
        struct lane *lane = &w->lane[i];

        if (!lane->nhits && !lane->nspans && lane->thread->tid != lane->experiment->pid)
            continue;
        fputs(sep, w->out->f);
        ret = put_thread(w, lane);
        sep = ",\n";
    }
    return ret;
}

static void
put_marker_types(FILE *f)
{
    for (int i = 0; i < OUTSPAN_COUNT; i++) {
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", f);
        out_string(span_types[i], f);
        fputs(",\"tooltipLabel\":\"{marker.data.type}: {marker.name}\","
              "\"tableLabel\":\"{marker.data.type}: {marker.name}\","
              "\"chartLabel\":\"{marker.name}\","
              "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
              "\"data\":[{\"key\":\"bytes\",\"label\":\"Bytes\","
              "\"format\":\"bytes\"}]}", f);
    }
}

/* Write when the profile began (ms since 1970), and the clock's interval. */
static void
put_times(const struct writer *w, FILE *f)
{
    const struct session *s = w->out->session;
    const char *text = NULL;
    u64 wall = 0, interval;

    for (u32 i = 0; i < s->nexperiments; i++) {
        const struct experiment *e = s->experiment[i];

        if (e->origin_mono == w->base)
            wall = e->start_wall - (e->start_mono - e->origin_mono);
        if (!text)
            text = log_fact(&e->log, "collect", "clock_ns");
    }
    interval = text ? strtoull(text, NULL, 10) : 0;
    fputs(",\"startTime\":", f);
    put_ms(wall, f);
    fputs(",\"interval\":", f);
    put_ms(interval ? interval : 1000000, f);
}

static void
put_meta(const struct writer *w)
{
    FILE *f = w->out->f;

    fputs("{\"meta\":{\"preprocessedProfileVersion\":48,\"version\":27,"
          "\"product\":", f);
    out_string(out_program(w->out), f);
    fputs(",\"importedFrom\":\"" PACKAGE_NAME " " PACKAGE_VERSION "\"", f);
    put_times(w, f);
    fputs(",\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
          "\"usesOnlyOneStackType\":true,\"doesNotUseFrameImplementation\":true,"
          "\"sourceCodeIsNotOnSearchfox\":true,\"sampleUnits\":{\"time\":\"ms\","
          "\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\n\"categories\":[", f);
    for (int i = 0; i < FOX_CATEGORIES; i++)
        fprintf(f, "%s\n{\"name\":\"%s\",\"color\":\"%s\","
                "\"subcategories\":[\"Other\"]}", i ? "," : "", categories[i].name,
                categories[i].color);
    fputs("],\n\"markerSchema\":[", f);
    put_marker_types(f);
    fputs("]},\n\"pages\":[],\"counters\":[],\"profilerOverhead\":[],\n"
          "\"threads\":[", f);
}

static void
close_lanes(struct writer *w)
{
    for (u32 i = 0; w->lane && i < w->nlanes; i++) {
        free(w->lane[i].hit);
        free(w->lane[i].span);
    }
    free(w->lane);
}

int
out_firefox(struct out *out)
{
    struct writer w = { .out = out, .base = outevents_base(out->session) };
    int ret;

    foxtables_libs(&w.libs);
    ret = read_lanes(&w); /* which may add stacks to the session, so it is first */
    if (ret == 0)
        ret = stackset_open(out, &w.set);
    if (ret == 0) {
        w.known = calloc((size_t)out->session->stacks->count + 1, 2 * sizeof(*w.known));
        ret = w.known ? 0 : -ENOMEM;
    }
    if (ret == 0) {
        put_meta(&w);
        ret = put_threads(&w);
        fputs("],\n\"libs\":", out->f);
        foxtables_write_libs(out->session, &w.libs, out->f);
        fputs("}\n", out->f);
    }
    stackset_close(&w.set);
    free(w.known);
    if (w.homeless)
        out_warn(out, "%" PRIu64 " hits of the clock have no known thread: left out",
                 w.homeless);
    foxtables_free(&w.libs);
    close_lanes(&w);
    return ret;
}
