/* SPDX-License-Identifier: Apache-2.0 */
#include "import/import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/nametables.h"
#include "print/base/array.h"

void
import_open(struct import *im, const char *file)
{
    *im = (struct import){ .file = file, .format = "", .tool = "", .command = "",
                           .host = "", .os = "", .arch = "", .cpus = "" };
}

static void
close_process(struct import_process *p)
{
    free(p->object);
    free(p->thread);
    free(p->node);
    hash_free(&p->nodes);
    chunkfile_free(&p->profile);
    chunkfile_free(&p->counters);
    chunkfile_free(&p->heap);
}

void
import_close(struct import *im)
{
    for (u32 i = 0; i < im->nprocesses; i++)
        close_process(&im->process[i]);
    free(im->process);
    nametables_free(im->names);
    pool_free(im->pool);
    memset(im, 0, sizeof(*im));
}

const char *
import_text(struct import *im, const char *text, size_t len)
{
    char *copy = pool_text(&im->pool, text, strnlen(text, len));

    im->failed |= !copy;
    return copy ? copy : "";
}

int
import_fail(struct import *im, const char *format, ...)
{
    va_list ap;

    if (*im->why)
        return -EBADMSG;
    va_start(ap, format);
    vsnprintf(im->why, sizeof(im->why), format, ap);
    va_end(ap);
    return -EBADMSG;
}

/*
 * Does er_print have a metric or a column with that name? Then no counter may have it.
 */
static bool
is_reserved(const char *name)
{
    static const char *const names[] = {
#define METRIC(metric, title, unit, flavours, doc) #metric,
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
        "name", "size", "address", "any", "hwc",
    };

    for (u32 i = 0; i < ER_COUNT(names); i++)
        if (!strcasecmp(names[i], name))
            return true;
    return false;
}

u32
import_counter(struct import *im, const char *given)
{
    char name[80];

    snprintf(name, sizeof(name), "%s%s", *given ? given : "value",
             is_reserved(given) ? "-counter" : "");
    for (char *p = name; *p; p++)
        if ((unsigned char)*p <= ' ' || *p == ',')
            *p = '-';
    for (u32 i = 0; i < im->ncounters; i++)
        if (!strcmp(im->counter[i].name, name))
            return i;
    if (im->ncounters == IMPORT_COUNTERS)
        return IMPORT_COUNTERS;
    im->counter[im->ncounters].name = import_text(im, name, strlen(name));
    im->counter[im->ncounters].unit = "";
    return im->ncounters++;
}

/* The names that units have in pprof, speedscope and other formats. */
static const struct unit {
    const char *name;
    const char *unit;
    u64 scale;
} units[] = {
    { "nanoseconds", "ns", 1 },
    { "ns", "ns", 1 },
    { "microseconds", "ns", 1000 },
    { "us", "ns", 1000 },
    { "milliseconds", "ns", 1000000 },
    { "ms", "ns", 1000000 },
    { "seconds", "ns", 1000000000 },
    { "s", "ns", 1000000000 },
    { "bytes", "bytes", 1 },
    { "kilobytes", "bytes", 1024 },
    { "megabytes", "bytes", 1024 * 1024 },
};

u32
import_counter_unit(struct import *im, const char *name, const char *unit, u64 *scale)
{
    u32 at = import_counter(im, name);

    *scale = 1;
    for (u32 i = 0; i < ER_COUNT(units) && at < IMPORT_COUNTERS; i++)
        if (!strcmp(units[i].name, unit)) {
            im->counter[at].unit = units[i].unit;
            *scale = units[i].scale;
        }
    return at;
}

void
import_add_note(struct import *im, const char *format, ...)
{
    char text[256];
    va_list ap;

    if (im->nnotes == IMPORT_NOTES)
        return;
    va_start(ap, format);
    vsnprintf(text, sizeof(text), format, ap);
    va_end(ap);
    im->note[im->nnotes++] = import_text(im, text, sizeof(text));
}

u32
import_process(struct import *im, u32 pid, u32 ppid, u64 time)
{
    struct import_process new = {
        .pid = pid, .ppid = ppid, .name = "", .start = time, .end = time,
        .profile = { .file = FILE_profile }, .counters = { .file = FILE_hwcounters },
        .heap = { .file = FILE_heaptrace },
    };

    if (array_room(&im->process, &im->processes_room, im->nprocesses + 1,
                   sizeof(new)) < 0) {
        im->failed = true;
        return 0;
    }
    im->process[im->nprocesses] = new;
    return ++im->nprocesses;
}

u32
import_thread(struct import *im, u32 process, u32 tid, u64 time)
{
    struct import_process *p = &im->process[process - 1];

    if (array_room_zero(&p->thread, &p->threads_room, p->nthreads + 1,
                        sizeof(*p->thread)) < 0) {
        im->failed = true;
        return 0;
    }
    p->thread[p->nthreads] = (struct import_thread){ .tid = tid, .birth = time };
    return ++p->nthreads;
}

u32
import_object(struct import *im, u32 process, const struct import_object *object)
{
    struct import_process *p = &im->process[process - 1];

    if (array_room(&p->object, &p->objects_room, p->nobjects + 1,
                   sizeof(*object)) < 0) {
        im->failed = true;
        return 0;
    }
    p->object[p->nobjects] = *object;
    return ++p->nobjects;
}

struct key {
    const struct import_process *p;
    struct import_node node;
};

static bool
same_node(const void *context, u32 index)
{
    const struct key *key = context;
    const struct import_node *node = &key->p->node[index];

    return node->parent == key->node.parent && node->object == key->node.object &&
           node->pc == key->node.pc && node->flags == key->node.flags;
}

u32
import_node(struct import *im, u32 process, u32 parent, u32 object, u64 pc, u32 flags)
{
    struct import_process *p = &im->process[process - 1];
    struct key key = { p, { parent, object, pc & IMPORT_PC_MASK, (uint16_t)flags } };
    u64 place = hash_mix(pc ^ (u64)object << 48);
    u32 hash = (u32)hash_mix(place ^ (u64)parent << 8 ^ flags);
    u32 at;

    if (!parent && !object && !key.node.pc && !flags)
        return 0;
    at = hash_find(&p->nodes, hash, same_node, &key);
    if (at != HASH_NONE)
        return at + 1;
    if (array_room(&p->node, &p->nodes_room, p->nnodes + 1, sizeof(key.node)) < 0 ||
        hash_add(&p->nodes, hash, p->nnodes) < 0) {
        im->failed = true;
        return 0;
    }
    p->node[p->nnodes] = key.node;
    return ++p->nnodes;
}

void
import_process_ended(struct import *im, u32 process)
{
    hash_free(&im->process[process - 1].nodes);
}

static struct import_process *
add_hit(struct import *im, const struct import_hit *hit)
{
    struct import_process *p = &im->process[hit->process - 1];

    p->has_hits = true;
    if (hit->time < p->start)
        p->start = hit->time;
    if (hit->time > p->end)
        p->end = hit->time;
    if (hit->thread)
        p->thread[hit->thread - 1].hits++;
    return p;
}

void
import_clock(struct import *im, const struct import_hit *hit)
{
    struct rec_clock record = {
        .time = hit->time,
        .node = hit->node,
        .cpu = hit->cpu,
        .mstate = hit->kernel ? MSTATE_SYSTEM : MSTATE_USER,
        .weight = hit->value,
    };

    if (!chunkfile_clock(&add_hit(im, hit)->profile, hit->thread, &record))
        im->failed = true;
}

void
import_count(struct import *im, u32 counter, const struct import_hit *hit)
{
    struct rec_count record = {
        .time = hit->time,
        .node = hit->node,
        .cpu = hit->cpu,
        .counter = counter,
        .value = hit->value,
    };

    if (!chunkfile_count(&add_hit(im, hit)->counters, hit->thread, &record))
        im->failed = true;
}

void
import_branches(struct import *im, const struct import_hit *hit, struct er_str steps)
{
    struct rec_branches record = {
        .time = hit->time,
        .node = hit->node,
        .cpu = hit->cpu,
        .steps = steps,
    };
    struct import_process *p = &im->process[hit->process - 1];

    im->has_branches = true;
    if (!chunkfile_branches(&p->counters, hit->thread, &record))
        im->failed = true;
}

void
import_alloc(struct import *im, const struct import_hit *hit, u64 address)
{
    struct rec_alloc record = {
        .time = hit->time >> SHIFT_heaptrace,
        .addr = address,
        .size = hit->value,
        .node = hit->node,
    };

    if (!chunkfile_alloc(&add_hit(im, hit)->heap, hit->thread, hit->time, &record))
        im->failed = true;
}

void
import_free(struct import *im, const struct import_hit *hit, u64 address)
{
    struct rec_free record = { .time = hit->time >> SHIFT_heaptrace, .addr = address };

    if (!chunkfile_freed(&add_hit(im, hit)->heap, hit->thread, hit->time, &record))
        im->failed = true;
}
