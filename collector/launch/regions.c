/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/outside/perf_mapping.h"

enum {
    PAGE = 4096,
    RING_PAGES = 16, /* or fewer, down to LEAST_PAGES, where that is not permitted */
    LEAST_PAGES = 2,
    RECORD_MAX = 8192,
    ID_BYTES = 16, /* bytes at a record's end: process and thread, time */
};

int
regions_wanted(const struct recording *s)
{
    for (u32 i = 0; i < s->counters.count; i++)
        if (s->counters.counter[i].how.flags & COUNTER_ADDRESS)
            return 1;
    return 0;
}

/*
 * Open an event that only reports mappings, of data, too, from the next exec on.
 * Returns a descriptor, or -1 with errno set.
 */
static int
open_events(pid_t pid, int cpu)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    attr.disabled = attr.enable_on_exec = attr.inherit = 1;
    attr.exclude_kernel = attr.exclude_hv = 1;
    attr.mmap = attr.mmap2 = attr.mmap_data = 1;
    attr.sample_id_all = attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int
open_ring(struct regions_ring *ring, pid_t pid, int cpu)
{
    ring->fd = open_events(pid, cpu);
    if (ring->fd < 0)
        return 0;
    for (size_t pages = RING_PAGES; pages >= LEAST_PAGES; pages /= 2) {
        ring->bytes = (pages + 1) * PAGE;
        ring->page = mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                          ring->fd, 0);
        if (ring->page != MAP_FAILED)
            return 1;
    }
    close(ring->fd);
    return 0;
}

void
regions_start(struct region_rings *r, const struct recording *s)
{
    long cpus = sysconf(_SC_NPROCESSORS_CONF);

    if (!regions_wanted(s) || cpus <= 0)
        return;
    r->ring = calloc((size_t)cpus, sizeof(*r->ring));
    for (long cpu = 0; r->ring && cpu < cpus; cpu++)
        r->count += (u32)open_ring(&r->ring[r->count], s->pid, (int)cpu);
}

/*
 * The kind of a mapping, by the name that the kernel gives it in /proc/PID/maps or in
 * an event.
 */
static u32
kind_of(const char *name)
{
    if (!*name || !strcmp(name, "//anon"))
        return REGION_ANONYMOUS;
    if (!strcmp(name, "[heap]"))
        return REGION_BREAK;
    if (!strncmp(name, "[stack", 6))
        return REGION_STACK;
    if (!strncmp(name, "[anon:", 6))
        return REGION_ANONYMOUS;
    return *name == '/' ? REGION_FILE : REGION_OTHER;
}

static void
put(struct recording *s, struct rec_region *r)
{
    r->kind = kind_of(r->name.s);
    if (r->kind == REGION_ANONYMOUS)
        r->name.s = "";
    r->name.len = (u32)strlen(r->name.s);
    (void)overview_region(&s->overview, &s->experiment, moment_now(s->host.tsc), r);
}

static void
put_mapping(struct recording *s, regions_find *find, const unsigned char *record,
            u32 size)
{
    const u32 name = sizeof(struct perf_mapping);
    struct rec_region r = { .time = 0 };
    struct perf_mapping map;
    struct recording *to;

    if (size < name + 8 + ID_BYTES)
        return;
    memcpy(&map, record, sizeof(map));
    memcpy(&r.mono, record + size - sizeof(r.mono), sizeof(r.mono));
    to = find(s, (pid_t)map.pid);
    if (!to)
        return;
    r.addr = map.addr;
    r.size = map.len;
    r.name.s = (const char *)record + name;
    if (memchr(r.name.s, '\0', size - name - ID_BYTES))
        put(to, &r);
}

/*
 * Copy bytes of the ring into one piece, as a record may continue at the ring's
 * beginning.
 */
static void
copy(unsigned char *to, const struct perf_event_mmap_page *page, u64 at, u32 len)
{
    const unsigned char *data = (const unsigned char *)page + page->data_offset;

    for (u32 i = 0; i < len; i++)
        to[i] = data[(at + i) % page->data_size];
}

/*
 * Record the mappings that are in the ring. Returns 1 if some were lost because the
 * ring was full, else 0.
 */
static int
drain_ring(struct perf_event_mmap_page *page, struct recording *s, regions_find *find)
{
    u64 head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    u64 at = page->data_tail;
    unsigned char record[RECORD_MAX];
    struct perf_event_header header;
    int lost = 0;

    for (; at < head; at += header.size) {
        copy((unsigned char *)&header, page, at, sizeof(header));
        if (header.size < sizeof(header))
            break;
        lost |= header.type == PERF_RECORD_LOST;
        if (header.type != PERF_RECORD_MMAP2 || header.size > RECORD_MAX)
            continue;
        copy(record, page, at, header.size);
        put_mapping(s, find, record, header.size);
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
    return lost;
}

void
regions_drain(struct region_rings *r, struct recording *s, regions_find *find)
{
    u64 before = moment_mono();
    int lost = 0;

    for (u32 i = 0; i < r->count; i++)
        lost |= drain_ring(r->ring[i].page, s, find);
    if (lost)
        regions_snapshot(s, before);
}

int
regions_line(char *line, struct rec_region *out)
{
    unsigned long long lo, hi;
    int at = 0;

    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %n", &lo, &hi, &at) < 2 || !at ||
        hi < lo)
        return 0;
    *out = (struct rec_region){ .addr = lo, .size = hi - lo };
    out->name.s = line + at;
    return 1;
}

void
regions_snapshot(struct recording *s, u64 mono)
{
    char path[64], *line = NULL;
    struct rec_region r;
    size_t room = 0;
    FILE *maps;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)s->pid);
    maps = fopen(path, "re");
    while (maps && getline(&line, &room, maps) > 0)
        if (regions_line(line, &r)) {
            r.mono = mono;
            put(s, &r);
        }
    free(line);
    if (maps)
        fclose(maps);
}

void
regions_continue(struct region_rings *r)
{
    u32 kept = 0;

    for (u32 i = 0; i < r->count; i++) {
        struct regions_ring *ring = &r->ring[i];

        ring->page = mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                          ring->fd, 0);
        if (ring->page == MAP_FAILED)
            close(ring->fd);
        else
            r->ring[kept++] = *ring;
    }
    r->count = kept;
}

void
regions_end(struct region_rings *r)
{
    for (u32 i = 0; i < r->count; i++)
        close(r->ring[i].fd); /* mappings end with us */
    free(r->ring);
    *r = (struct region_rings){ 0 };
}
