/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/session/session.h"
#include "collector/sig/space.h"
#include "share/image.h"

enum {
    PAGE = 4096,
    RING_PAGES = 2,
    CLAIMS = 50, /* attempts to get a free request, 1 ms apart */
    RECORD_MAX = 256,
    LOOK_MS = 100,
};

static int
open_event(pid_t tid, int cpu, int on_exec)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.disabled = attr.enable_on_exec = on_exec ? 1 : 0;
    attr.inherit = 1;
    attr.exclude_kernel = attr.exclude_hv = 1;
    attr.comm = attr.comm_exec = attr.task = attr.watermark = 1;
    attr.wakeup_watermark = 1;
    return (int)syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Open an event and a ring on each processor, for the first thread. */
static void
open_rings(struct children *k, pid_t tid, int on_exec)
{
    long cpus = sysconf(_SC_NPROCESSORS_CONF);

    k->ring = calloc(cpus > 0 ? (size_t)cpus : 1, sizeof(*k->ring));
    for (int cpu = 0; k->ring && cpu < cpus; cpu++) {
        int fd = open_event(tid, cpu, on_exec);
        void *page = fd < 0 ? MAP_FAILED
                            : mmap(NULL, (RING_PAGES + 1) * PAGE,
                                   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

        if (page != MAP_FAILED)
            k->ring[k->count++] = (struct children_ring){ fd, page };
        else if (fd >= 0)
            close(fd);
    }
}

/*
 * Open events for the other threads, since any thread may start a program. Their
 * records go to the same rings.
 */
static void
open_others(struct children *k, pid_t pid)
{
    struct dirent *entry;
    char path[64];
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    dir = opendir(path);
    while (dir && (entry = readdir(dir))) {
        pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

        for (u32 i = 0; tid && tid != pid && i < k->count; i++) {
            int fd = open_event(tid, (int)i, 0);

            if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, k->ring[i].fd) < 0)
                close(fd);
        }
    }
    if (dir)
        closedir(dir);
}

void
children_open(struct children *k, const struct recording *s)
{
    if (!s->outside.children)
        return;
    k->s = s;
    open_rings(k, s->pid, !s->outside.from_now);
    if (s->outside.from_now)
        open_others(k, s->pid);
}

static int
is_requested(const struct children *k, u32 pid)
{
    for (u32 i = 0; i < k->asks; i++)
        if (k->asked[i] == pid)
            return 1;
    return 0;
}

static void
forget(struct children *k, u32 pid)
{
    for (u32 i = 0; i < k->asks; i++)
        if (k->asked[i] == pid)
            k->asked[i] = k->asked[--k->asks];
}

static int
add_requested(struct children *k, u32 pid)
{
    if (k->asks == k->room) {
        u32 room = k->room ? 2 * k->room : 64;
        u32 *grown = reallocarray(k->asked, room, sizeof(*grown));

        if (!grown)
            return 0;
        k->asked = grown;
        k->room = room;
    }
    k->asked[k->asks++] = pid;
    return 1;
}

/* Find out the kind of a process's program, and its name. */
static enum image_kind
read_program(u32 pid, char name[ER_NAME_BYTES])
{
    char path[64], program[PATH_MAX], interpreter[IMAGE_LINE];
    enum image_kind kind = IMAGE_UNREAD;
    const char *slash;
    ssize_t len;
    int fd;

    snprintf(path, sizeof(path), "/proc/%u/exe", pid);
    len = readlink(path, program, sizeof(program) - 1);
    program[len > 0 ? len : 0] = '\0';
    slash = strrchr(program, '/');
    snprintf(name, ER_NAME_BYTES, "%.*s", ER_NAME_BYTES - 1,
             slash ? slash + 1 : program);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        kind = image_read(fd, program, interpreter);
        close(fd);
    }
    return kind;
}

static struct ctl_request *
claim(struct ctl *page)
{
    const struct timespec pause = { 0, 1000000 };
    u32 claimed = (u32)getpid() << REQUEST_BITS | REQUEST_CLAIMED;

    for (int i = 0; i < CLAIMS * ER_REQUESTS; i++) {
        struct ctl_request *request = &page->request[i % ER_REQUESTS];
        u32 now = REQUEST_FREE;

        if (__atomic_compare_exchange_n(&request->state, &now, claimed, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return request;
        if (i % ER_REQUESTS == ER_REQUESTS - 1)
            nanosleep(&pause, NULL);
    }
    return NULL;
}

/* Ask the launcher to sample a process; the launcher frees the request itself. */
static void
post_request(struct children *k, u32 pid)
{
    const struct outside *o = &k->s->outside;
    struct ctl *page = o->bell ? o->bell : k->s->experiment.ctl;
    char name[ER_NAME_BYTES];
    enum image_kind kind = read_program(pid, name);
    struct ctl_request *request = claim(page);

    if (!request)
        return;
    request->how = HOW_SPAWN;
    request->beyond = OUTSIDE_CHILD;
    request->image = (u32)kind & 0xf;
    request->rank = request->objects = 0;
    request->ppid = pid;
    request->base_user = request->base_system = 0;
    /* "" = the creator is the founder. */
    snprintf(request->creator, ER_NAME_BYTES, "%.*s", ER_NAME_BYTES - 1,
             o->bell ? k->s->name : "");
    memcpy(request->name, name, ER_NAME_BYTES);
    __atomic_store_n(&request->state, (u32)getpid() << REQUEST_BITS | REQUEST_ASKED,
                     __ATOMIC_RELEASE);
    space_ring(WANT_FAMILY);
}

/*
 * Take a record of the ring: PERF_RECORD_COMM and PERF_RECORD_EXIT both begin with the
 * header and the pid.
 */
static void
read_record(struct children *k, const unsigned char *record)
{
    struct perf_event_header header;
    u32 pid, tid;

    memcpy(&header, record, sizeof(header));
    memcpy(&pid, record + sizeof(header), sizeof(pid));
    if (header.type == PERF_RECORD_EXIT) {
        memcpy(&tid, record + sizeof(header) + 8, sizeof(tid));
        if (tid == pid)
            forget(k, pid);
    }
    if (header.type == PERF_RECORD_COMM && header.misc & PERF_RECORD_MISC_COMM_EXEC &&
        pid != (u32)k->s->pid && !is_requested(k, pid) && add_requested(k, pid))
        post_request(k, pid);
}

static void
copy(unsigned char *to, const struct perf_event_mmap_page *page, u64 at, u32 len)
{
    const unsigned char *data = (const unsigned char *)page + page->data_offset;

    for (u32 i = 0; i < len; i++)
        to[i] = data[(at + i) % page->data_size];
}

static void
drain(struct children *k, struct perf_event_mmap_page *page)
{
    u64 head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    u64 at = page->data_tail;
    struct perf_event_header header;
    unsigned char record[RECORD_MAX];

    for (; at < head; at += header.size) {
        copy((unsigned char *)&header, page, at, sizeof(header));
        if (header.size < sizeof(header) + 16)
            break;
        if (header.size > sizeof(record))
            continue;
        copy(record, page, at, header.size);
        read_record(k, record);
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

void
children_poll(struct children *k)
{
    for (u32 i = 0; i < k->count; i++)
        drain(k, k->ring[i].page);
}

void
children_serve(struct children *k, int stop)
{
    struct pollfd *fds = calloc(k->count + 1, sizeof(*fds));

    if (!fds)
        return;
    fds[0] = (struct pollfd){ .fd = stop, .events = POLLIN };
    for (u32 i = 0; i < k->count; i++)
        fds[1 + i] = (struct pollfd){ .fd = k->ring[i].fd, .events = POLLIN };
    while (!fds[0].revents) {
        (void)poll(fds, k->count + 1, LOOK_MS);
        children_poll(k);
        for (u32 i = 1; i <= k->count; i++)
            if (fds[i].revents & (POLLHUP | POLLERR))
                fds[i].fd = -1;
    }
    free(fds);
}
