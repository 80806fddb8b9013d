/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/ring.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    RING_PAGES = 1024,     /* of a ring; halved, down to LEAST_PAGES, if mmap() fails */
    RING_PAGES_MANY = 256, /* with more than FEW_RINGS rings */
    RING_PAGES_MODEST = 64,
    RING_PAGES_MACHINE = 4096, /* with samples of all processes, and few rings */
    FEW_RINGS = 8,
    LEAST_PAGES = 16,
    STACK_SELDOM = 32768, /* bytes of a stack dump if the period is >= SELDOM_NS */
    STACK_OFTEN = 16384,
    SELDOM_NS = 5000000,
    WAKE_BYTES = 131072,
    ID_BYTES = 32, /* at a record's end: process and thread, time, id, processor */
    ID_TIME = 24,  /* bytes from the time in these to the record's end */
    ROUNDS = 10,   /* rounds of listing threads, as more may be created */
    TRY_NS = 10000000,
    PATIENCE_MS = 100,
    /*
     * The registers ax, bx, cx, dx, si, di, bp, sp, ip and r8 to r15 (asm/perf_regs.h).
     */
    REGS_MASK = 0x1ff | 0xff << 16,
};

static void
fill(struct perf_event_attr *attr, u64 period, u32 stack, enum ring_hits hits)
{
    memset(attr, 0, sizeof(*attr));
    attr->size = sizeof(*attr);
    attr->type = PERF_TYPE_SOFTWARE;
    attr->config = PERF_COUNT_SW_TASK_CLOCK;
    attr->sample_period = period;
    attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                        PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN |
                        PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attr->exclude_user = attr->exclude_callchain_user = hits == RING_KERNEL;
    attr->sample_regs_user = REGS_MASK;
    attr->sample_stack_user = stack;
    attr->disabled = attr->enable_on_exec = 1;
    attr->inherit = attr->inherit_thread = 1;
    attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = 1;
    attr->sample_id_all = attr->use_clockid = 1;
    attr->clockid = CLOCK_MONOTONIC;
    attr->watermark = 1;
    attr->wakeup_watermark = WAKE_BYTES;
    attr->exclude_hv = 1;
}

static int
open_one(struct perf_event_attr *attr, pid_t pid, int cpu)
{
    long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

    return fd < 0 ? -errno : (int)fd;
}

static int
open_group(struct perf_event_attr *attr, int cgroup, int cpu)
{
    long fd = syscall(SYS_perf_event_open, attr, cgroup, cpu, -1,
                      PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP);

    return fd < 0 ? -errno : (int)fd;
}

/*
 * Open an event. If the kernel does not know inherit_thread (Linux 5.13) or does not
 * permit hits in the kernel, this is changed in attr, also for later calls.
 */
static int
open_event(struct perf_event_attr *attr, pid_t pid, int cpu)
{
    int fd = open_one(attr, pid, cpu);

    if (fd == -EINVAL && attr->inherit_thread) {
        attr->inherit_thread = 0;
        fd = open_one(attr, pid, cpu);
    }
    if ((fd == -EACCES || fd == -EPERM) && !attr->exclude_kernel &&
        !attr->exclude_user) {
        attr->exclude_kernel = 1;
        fd = open_one(attr, pid, cpu);
    }
    return fd;
}

int
ring_try(enum ring_hits hits)
{
    struct perf_event_attr attr;
    int fd;

    fill(&attr, TRY_NS, STACK_SELDOM, hits);
    attr.enable_on_exec = 0;
    fd = open_event(&attr, 0, 0);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? fd : 0;
}

/* Open an event per processor; pid -1 = all processes, or those of cgroup. */
static int
open_all(struct rings *r, struct perf_event_attr *attr, pid_t pid, int cgroup)
{
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    int fd = -ENODEV;

    r->ring = calloc(cpus > 0 ? (size_t)cpus : 1, sizeof(*r->ring));
    if (!r->ring)
        return -ENOMEM;
    for (int cpu = 0; cpu < cpus; cpu++) {
        fd = cgroup >= 0 ? open_group(attr, cgroup, cpu)
             : pid < 0   ? open_one(attr, pid, cpu)
                         : open_event(attr, pid, cpu);
        /* Skip a processor that is offline. */
        if (fd == -ENODEV)
            continue;
        if (fd < 0)
            break;
        r->ring[r->count++].fd = fd;
    }
    if (r->count && (fd >= 0 || fd == -ENODEV))
        return 0;
    rings_close(r);
    return fd;
}

int
rings_open(struct rings *r, pid_t pid, u64 period, enum ring_hits hits)
{
    struct perf_event_attr attr;

    *r = (struct rings){ .stack = period < SELDOM_NS ? STACK_OFTEN : STACK_SELDOM };
    fill(&attr, period, r->stack, hits);
    return open_all(r, &attr, pid, -1);
}

int
rings_open_machine(struct rings *r, u64 period, int cgroup)
{
    struct perf_event_attr attr;

    *r = (struct rings){ .stack = period < SELDOM_NS ? STACK_OFTEN : STACK_SELDOM,
                         .machine = 1 };
    fill(&attr, period, r->stack, RING_ALL);
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.enable_on_exec = attr.inherit = attr.inherit_thread = 0;
    return open_all(r, &attr, -1, cgroup);
}

static int
has_thread(const struct rings *r, u32 tid)
{
    for (u32 i = 0; i < r->threads; i++)
        if (r->thread[i].tid == tid)
            return 1;
    return 0;
}

static int
add_thread(struct rings *r, struct ring_thread thread)
{
    if (r->threads == r->thread_room) {
        u32 room = r->thread_room ? 2 * r->thread_room : 64;
        struct ring_thread *grown = reallocarray(r->thread, room, sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        r->thread = grown;
        r->thread_room = room;
    }
    r->thread[r->threads++] = thread;
    return 0;
}

/*
 * Open a thread's event on each ring's processor. The first thread's events own the
 * rings.
 */
static int
open_thread(struct rings *r, struct perf_event_attr *attr, u32 tid, const int *cpu)
{
    for (u32 i = 0; i < r->count; i++) {
        struct ring_thread thread = { -1, i, tid, 0 };
        int ret;

        thread.fd = open_event(attr, (pid_t)tid, cpu[i]);
        if (thread.fd < 0)
            return thread.fd;
        ret = ioctl(thread.fd, PERF_EVENT_IOC_ID, &thread.id) < 0 ? -errno : 0;
        if (ret == 0)
            ret = add_thread(r, thread);
        if (ret < 0) {
            close(thread.fd);
            return ret;
        }
        if (r->ring[i].fd < 0)
            r->ring[i].fd = thread.fd;
    }
    return 0;
}

/*
 * Open events for the threads in /proc that have none yet. Returns how many, or -errno.
 */
static int
open_threads(struct rings *r, struct perf_event_attr *attr, pid_t pid, const int *cpu)
{
    struct dirent *entry;
    char path[64];
    int ret = 0, found = 0;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    dir = opendir(path);
    if (!dir)
        return -ESRCH;
    while (ret == 0 && (entry = readdir(dir))) {
        u32 tid = (u32)strtoul(entry->d_name, NULL, 10);

        if (!tid || has_thread(r, tid))
            continue;
        ret = open_thread(r, attr, tid, cpu);
        found += ret == 0;
        /* Skip a thread that has ended in the meantime. */
        ret = ret == -ESRCH ? 0 : ret;
    }
    closedir(dir);
    return ret < 0 ? ret : found;
}

/* Find the processors that are online, and add a ring for each. 0 or -errno. */
static int
list_cpus(struct rings *r, struct perf_event_attr *attr, pid_t pid, int *cpu, long cpus)
{
    for (int i = 0; i < cpus; i++) {
        int fd = open_event(attr, pid, i);

        if (fd == -ENODEV)
            continue;
        if (fd < 0)
            return fd;
        close(fd);
        cpu[r->count] = i;
        r->ring[r->count++].fd = -1;
    }
    return r->count ? 0 : -ENODEV;
}

int
rings_open_now(struct rings *r, pid_t pid, u64 period, enum ring_hits hits)
{
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    size_t most = cpus > 0 ? (size_t)cpus : 1;
    int *cpu = calloc(most, sizeof(*cpu)), ret = -ENOMEM;
    struct perf_event_attr attr;

    *r = (struct rings){ .stack = period < SELDOM_NS ? STACK_OFTEN : STACK_SELDOM };
    r->ring = calloc(most, sizeof(*r->ring));
    fill(&attr, period, r->stack, hits);
    attr.enable_on_exec = 0;
    if (cpu && r->ring)
        ret = list_cpus(r, &attr, pid, cpu, cpus);
    for (int i = 0; ret == 0 && i < ROUNDS; i++) {
        ret = open_threads(r, &attr, pid, cpu);
        if (ret <= 0)
            break;
        ret = 0;
    }
    free(cpu);
    if (ret == 0 && !r->threads)
        ret = -ESRCH;
    if (ret < 0)
        rings_close(r);
    return ret;
}

/* Redirect all threads' events to the first thread's rings, and enable the events. */
static int
join_threads(struct rings *r)
{
    for (u32 i = 0; i < r->threads; i++) {
        int fd = r->thread[i].fd, ring = r->ring[r->thread[i].ring].fd;

        if (fd != ring && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) < 0)
            return -errno;
    }
    for (u32 i = 0; i < r->threads; i++)
        if (ioctl(r->thread[i].fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
            return -errno;
    for (u32 i = 0; r->machine && i < r->count; i++)
        if (ioctl(r->ring[i].fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
            return -errno;
    return 0;
}

int
rings_is_double(const struct rings *r, const struct ring_sample *sample)
{
    int has_own = 0;

    for (u32 i = 0; i < r->threads; i++) {
        if (r->thread[i].tid != sample->tid)
            continue;
        if (r->thread[i].id == sample->id)
            return 0;
        has_own = 1;
    }
    return has_own;
}

void
rings_end_thread(struct rings *r, u32 tid)
{
    for (u32 i = 0; i < r->threads; i++)
        if (r->thread[i].tid == tid)
            r->thread[i].tid = 0;
}

void
rings_stop(struct rings *r)
{
    for (u32 i = 0; i < r->threads; i++)
        (void)ioctl(r->thread[i].fd, PERF_EVENT_IOC_DISABLE, 0);
    for (u32 i = 0; i < r->count && !r->threads; i++)
        (void)ioctl(r->ring[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

static u64
count_of(int fd)
{
    u64 count;

    return read(fd, &count, sizeof(count)) == (ssize_t)sizeof(count) ? count : 0;
}

u64
rings_total(const struct rings *r)
{
    u64 total = 0;

    for (u32 i = 0; i < r->threads; i++)
        total += count_of(r->thread[i].fd);
    for (u32 i = 0; i < r->count && !r->threads; i++)
        total += count_of(r->ring[i].fd);
    return total;
}

static int
map_ring(struct ring *ring, size_t most)
{
    for (size_t pages = most; pages >= LEAST_PAGES; pages /= 2) {
        void *page = mmap(NULL, (pages + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
                          ring->fd, 0);

        if (page != MAP_FAILED) {
            ring->page = page;
            return 0;
        }
    }
    return -errno;
}

int
rings_map(struct rings *r, int modest)
{
    size_t most = modest                  ? RING_PAGES_MODEST
                  : r->machine && r->count <= FEW_RINGS ? RING_PAGES_MACHINE
                  : r->count > FEW_RINGS ? RING_PAGES_MANY
                                          : RING_PAGES;
    int ret = 0;

    for (u32 i = 0; i < r->count && ret == 0; i++)
        ret = map_ring(&r->ring[i], most);
    if (ret == 0)
        ret = join_threads(r);
    return ret;
}

int
rings_patience(const struct rings *r, u64 period)
{
    u64 ms = PATIENCE_MS;

    /*
     * A ring may have become small, since each user's locked memory is limited: then
     * read it more often.
     */
    for (u32 i = 0; i < r->count; i++) {
        u64 full = r->ring[i].page->data_size / 2 / r->stack * period / 1000000;

        if (full < ms)
            ms = full ? full : 1;
    }
    return (int)ms;
}

int
rings_watch(pid_t pid)
{
    struct perf_event_attr attr;
    int fd;

    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.disabled = attr.enable_on_exec = 1;
    attr.exclude_kernel = attr.exclude_hv = 1;
    attr.comm = attr.watermark = 1;
    attr.wakeup_watermark = 1;
    fd = open_one(&attr, pid, -1);
    /* Map a ring, which stays mapped: poll() reports only events that have one. */
    if (fd >= 0 &&
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED) {
        close(fd);
        fd = -1;
    }
    return fd < 0 ? -1 : fd;
}

void
rings_close(struct rings *r)
{
    for (u32 i = 0; i < r->threads; i++)
        close(r->thread[i].fd);
    for (u32 i = 0; i < r->count && !r->threads; i++)
        close(r->ring[i].fd);
    free(r->thread);
    free(r->ring);
    *r = (struct rings){ .stack = r->stack };
}

/* Copy bytes out of a ring, which may wrap around. */
static void
copy(void *to, const struct perf_event_mmap_page *page, u64 at, u64 len)
{
    const unsigned char *data = (const unsigned char *)page + page->data_offset;
    u64 from = at % page->data_size, first = page->data_size - from;

    if (first > len)
        first = len;
    memcpy(to, data + from, first);
    memcpy((unsigned char *)to + first, data, len - first);
}

/*
 * Read the header and the time of the oldest record of a ring. 1, or 0 when it is
 * empty.
 */
static int
peek(const struct ring *ring, struct perf_event_header *header, u64 *time)
{
    u64 head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    u64 at = ring->page->data_tail;
    u64 where;

    if (head - at < sizeof(*header))
        return 0;
    copy(header, ring->page, at, sizeof(*header));
    where = header->type == PERF_RECORD_SAMPLE ? sizeof(*header) + 8
                                               : header->size - (u64)ID_TIME;
    if (header->size < sizeof(*header) + ID_BYTES || header->size > head - at)
        return 0;
    copy(time, ring->page, at + where, sizeof(*time));
    return 1;
}

static void
pass(struct ring *ring, u32 bytes)
{
    u64 tail = ring->page->data_tail + bytes;

    __atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

static void
count_lost(struct rings *r, const unsigned char *record)
{
    struct perf_event_header header;
    u64 number;

    memcpy(&header, record, sizeof(header));
    if (header.type != PERF_RECORD_LOST)
        return;
    memcpy(&number, record + sizeof(header) + sizeof(number), sizeof(number));
    r->lost += number;
}

int
rings_next(struct rings *r, u64 until, unsigned char *record, u64 *time)
{
    struct perf_event_header header, first = { .size = 0 };
    struct ring *ring = NULL;
    u64 when;

    for (u32 i = 0; i < r->count; i++)
        if (peek(&r->ring[i], &header, &when) && when <= until &&
            (!ring || when < *time)) {
            ring = &r->ring[i];
            first = header;
            *time = when;
        }
    if (!ring)
        return 0;
    copy(record, ring->page, ring->page->data_tail, first.size);
    pass(ring, first.size);
    count_lost(r, record);
    return 1;
}

static u64
link_at(const struct ring_sample *sample, u64 i)
{
    u64 link;

    memcpy(&link, sample->chain + 8 * i, sizeof(link));
    return link;
}

/* Split the chain by its PERF_CONTEXT_ marks: the kernel's frames come first. */
static void
split_chain(struct ring_sample *sample)
{
    u64 i = 0, count = sample->chain_count;

    if (count && link_at(sample, 0) == (u64)PERF_CONTEXT_KERNEL) {
        for (i = 1; i < count && link_at(sample, i) < (u64)PERF_CONTEXT_MAX; i++)
            ;
        sample->kernel = sample->chain + 8;
        sample->kernel_count = i - 1;
    }
    sample->chain += 8 * i;
    sample->chain_count -= i;
}

int
ring_sample(const unsigned char *record, struct ring_sample *sample)
{
    struct perf_event_header header;
    const unsigned char *p = record + sizeof(header), *end;
    u64 size;

    memcpy(&header, record, sizeof(header));
    end = record + header.size;
    if (end - p < 8 + 8 + 8 + 8 + 8 + 8 + 8)
        return 0;
    *sample = (struct ring_sample){ .pid = 0 };
    sample->in_kernel =
        (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
    memcpy(&sample->pid, p, 4);
    memcpy(&sample->tid, p + 4, 4);
    memcpy(&sample->time, p + 8, 8);
    memcpy(&sample->id, p + 16, 8);
    memcpy(&sample->cpu, p + 24, 4);
    memcpy(&sample->chain_count, p + 32, 8);
    p += 40;
    if (sample->chain_count > (u64)(end - p) / 8 ||
        (u64)(end - p) - 8 * sample->chain_count < 16)
        return 0;
    sample->chain = p;
    p += 8 * sample->chain_count;
    split_chain(sample);
    memcpy(&sample->abi, p, 8);
    p += 8;
    if (sample->abi) {
        if ((size_t)(end - p) < sizeof(sample->regs) + 8)
            return 0;
        memcpy(sample->regs, p, sizeof(sample->regs));
        p += sizeof(sample->regs);
    }
    memcpy(&size, p, 8);
    p += 8;
    if (!size)
        return 1;
    if (size > (u64)(end - p) || (u64)(end - p) - size < 8)
        return 0;
    sample->stack = p;
    memcpy(&sample->stack_bytes, p + size, 8);
    if (sample->stack_bytes > size)
        sample->stack_bytes = size;
    return 1;
}
