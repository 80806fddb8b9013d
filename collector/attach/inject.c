/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/attach/apart.h"
#include "collector/attach/debugger.h"
#include "collector/attach/proc.h"
#include "collector/attach/stub.h"
#include "collector/attach/tracee.h"
#include "collector/attach/walk.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

/*
 * Names of libraries of ours that were copied into a memfd: of the memfd, and in
 * /proc/PID/maps.
 */
#define BROUGHT_NAME "ertools-"
#define BROUGHT "/memfd:" BROUGHT_NAME

enum {
    LOOKS = 400, /* attempts to find a thread at a safe point, 5 ms apart */
    NAME_BELOW = 512, /* bytes from a name up to the stack pointer, past the red zone */
};

/*
 * The address of a function of libc, or of a library that older versions of libc had
 * apart.
 */
static u64
find(const struct attach *a, const char *name)
{
    for (int pass = 0; pass < 2; pass++)
        for (u32 i = 0; i < a->images.count; i++) {
            const struct remote_image *m = &a->images.image[i];
            u64 at = m->is_libc || (pass && (strstr(m->path, "/libpthread") ||
                                             strstr(m->path, "/libdl")))
                         ? image_function(m, name)
                         : 0;

            if (at)
                return at;
        }
    return 0;
}

int
inject_check(struct attach *a)
{
    static const char *const names[] = { "pthread_create", "pthread_detach", "dlopen",
                                         "dlsym", "dlerror" };
    int has_libc = 0;

    for (u32 i = 0; i < a->images.count; i++)
        has_libc |= a->images.image[i].is_libc;
    if (!has_libc) {
        snprintf(a->why, sizeof(a->why), "it has no glibc");
        return -ENOSYS;
    }
    if (a->images.is_go) {
        snprintf(a->why, sizeof(a->why), "it is a Go program");
        return -ENOSYS;
    }
    for (size_t i = 0; i < ER_COUNT(names); i++)
        if (!find(a, names[i])) {
            snprintf(a->why, sizeof(a->why), "its glibc has no %s loaded", names[i]);
            return -ENOSYS;
        }
    a->create = find(a, "pthread_create");
    debugger_set_syscall(find(a, "syscall"));
    return images_syscall(&a->images) ? 0 : -ENOSYS;
}

/*
 * Have thread t create a memfd of that name. Returns its descriptor in the target, or
 * -errno.
 */
static int
make_memory(struct attach *a, struct tracee *t, u64 at, const char *name)
{
    u64 where = (t->regs.rsp - NAME_BELOW) & ~15ull, fd;
    u64 arg[6] = { where, MFD_CLOEXEC | MFD_EXEC };
    int ret = proc_write(a->pid, where, name, strlen(name) + 1);

    if (ret == 0)
        ret = tracee_syscall(t, at, SYS_memfd_create, arg, &fd);
    if (ret == -EINVAL) {
        arg[1] = MFD_CLOEXEC;
        ret = tracee_syscall(t, at, SYS_memfd_create, arg, &fd);
    }
    return ret < 0 ? ret : (int)fd;
}

/*
 * Open the target's memfd in collect, make it as large as it has to be, and write the
 * code to it.
 */
static int
fill_memory(struct attach *a, int number)
{
    char name[64];
    int fd, ret = 0;

    snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)a->pid, number);
    fd = open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (ftruncate(fd, ATTACH_BYTES) < 0)
        ret = -errno;
    if (ret == 0) {
        a->pages = mmap(NULL, ATTACH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (a->pages == MAP_FAILED) {
            a->pages = NULL;
            ret = -ENOMEM;
        }
    }
    close(fd);
    if (ret == 0)
        memcpy(a->pages, stub_start, (size_t)(stub_end - stub_start));
    return ret;
}

static int
map_memory(struct attach *a, struct tracee *t, u64 at)
{
    int fd = make_memory(a, t, at, ATTACH_NAME), ret;
    const u64 map[6] = { 0, ATTACH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, (u64)fd,
                         0 };
    u64 close_arg[6] = { (u64)fd }, protect[6] = { 0, ATTACH_CODE_BYTES,
                                                   PROT_READ | PROT_EXEC };
    u64 ignored;

    if (fd < 0)
        return fd;
    ret = fill_memory(a, fd);
    if (ret == 0)
        ret = tracee_syscall(t, at, SYS_mmap, map, &a->base);
    protect[0] = a->base;
    if (ret == 0)
        ret = tracee_syscall(t, at, SYS_mprotect, protect, &ignored);
    (void)tracee_syscall(t, at, SYS_close, close_arg, &ignored);
    return ret;
}

static void
fill_page(struct attach *a)
{
    struct attach_page *page = attach_page(a);

    page->version = ATTACH_VERSION;
    if (getrandom(&page->cookie, sizeof(page->cookie), 0) < 0)
        page->cookie = (u64)(uintptr_t)a;
    page->open = find(a, "dlopen");
    page->find = find(a, "dlsym");
    page->why = find(a, "dlerror");
    page->detach = find(a, "pthread_detach");
}

static int
create(struct attach *a, struct tracee *t)
{
    struct attach_page *page = attach_page(a);
    u64 data = a->base + ATTACH_CODE_BYTES;
    int ret;

    if (!attach_is_there(a))
        return -ESRCH;
    a->safe = t->tid;
    page->call.function = a->create;
    page->call.arg[0] = data + offsetof(struct attach_page, unseen);
    page->call.arg[1] = 0;
    page->call.arg[2] = a->base + (u64)(stub_agent - stub_start);
    page->call.arg[3] = data;
    ret = tracee_call(t, page, a->base);
    if (ret == -ETIMEDOUT)
        a->lost = 1;
    if (ret == 0 && (int)page->call.result)
        ret = -(int)page->call.result;
    a->created = ret == 0;
    return ret;
}

/* Call what() with a thread at a safe point, and release the thread in any case. */
static int
use(struct attach *a, struct tracee *t, int (*what)(struct attach *, struct tracee *))
{
    int ret = what(a, t);

    attach_add_pause(a, tracee_release(t));
    return ret;
}

static int
pages_by(struct attach *a, struct tracee *t)
{
    return map_memory(a, t, images_syscall(&a->images));
}

/*
 * List the threads that may be stopped. With a debugger, it is only the thread that its
 * user has selected, since other threads may run while they make a call.
 */
static int
candidates(const struct attach *a, pid_t **tids)
{
    if (!debugger_answers())
        return proc_threads(a->pid, tids);
    *tids = malloc(sizeof(**tids));
    if (!*tids)
        return -ENOMEM;
    **tids = debugger_thread();
    return 1;
}

/*
 * Try each thread once, or (all = 0) each thread that waits in a system call, until one
 * was used. -EAGAIN: none was stopped at a suitable place.
 */
static int
pass_here(struct attach *a, int all, int safe,
          int (*what)(struct attach *, struct tracee *))
{
    pid_t *tids;
    int n = candidates(a, &tids), ret = -EAGAIN;

    if (n < 0)
        return n;
    for (int i = 0; i < n && ret == -EAGAIN; i++) {
        struct tracee t;

        if (!all && proc_syscall(a->pid, tids[i]) < 0)
            continue;
        ret = tracee_stop(&t, a->pid, tids[i]);
        if (ret == -ESRCH || ret == -ETIMEDOUT)
            ret = -EAGAIN;
        else if (ret == 0 && safe && !walk_is_safe(&a->images, &t)) {
            attach_add_pause(a, tracee_release(&t));
            ret = -EAGAIN;
        } else if (ret == 0) {
            ret = use(a, &t, what);
        }
    }
    free(tids);
    return ret;
}

struct pass {
    struct attach *a;
    int all, safe;
    int (*what)(struct attach *a, struct tracee *t);
};

static int
pass_apart(void *arg)
{
    const struct pass *p = arg;

    return pass_here(p->a, p->all, p->safe, p->what);
}

static int
pass(struct attach *a, int all, int safe, int (*what)(struct attach *, struct tracee *))
{
    struct pass p = { a, all, safe, what };

    return debugger_answers() ? pass_apart(&p) : apart(pass_apart, &p);
}

static int
by_some_thread(struct attach *a, int safe,
               int (*what)(struct attach *, struct tracee *))
{
    const struct timespec pause = { 0, 5000000 };
    int ret = -EAGAIN;

    for (int i = 0; i < LOOKS && ret == -EAGAIN && !attach_is_over(a); i++) {
        ret = pass(a, 0, safe, what);
        if (ret == -EAGAIN)
            ret = pass(a, 1, safe, what);
        if (ret == -EAGAIN && debugger_answers())
            break; /* no thread moves in the meantime */
        if (ret == -EAGAIN)
            nanosleep(&pause, NULL);
    }
    return ret;
}

int
inject_pages(struct attach *a)
{
    int ret = by_some_thread(a, 0, pages_by);

    if (ret == 0)
        fill_page(a);
    else if (a->pages)
        munmap(a->pages, ATTACH_BYTES), a->pages = NULL;
    return ret;
}

int
inject_agent(struct attach *a)
{
    return by_some_thread(a, 1, create);
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A library of ours that an earlier recording copied into the process, or NULL. */
static const struct remote_image *
brought(const struct attach *a, const char *name)
{
    char path[ATTACH_NAME_BYTES + sizeof(BROUGHT)];

    snprintf(path, sizeof(path), BROUGHT "%s", name);
    for (u32 i = 0; i < a->images.count; i++) {
        const struct remote_image *m = &a->images.image[i];

        if (m->is_ours && !strncmp(m->path, path, strlen(path)))
            return m;
    }
    return NULL;
}

static int
is_missing(const struct attach *a, int i)
{
    const struct attach_page *page = attach_page(a);

    return page->library[i][0] && !attach_sees(a, page->library[i]) &&
           !brought(a, page->name[i]);
}

/* Let thread t create empty memfds for the missing libraries, and the sockets. */
static int
make_files(struct attach *a, struct tracee *t)
{
    struct attach_page *page = attach_page(a);
    u64 at = images_syscall(&a->images), ignored;
    u64 pair[6] = { AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0,
                    (t->regs.rsp - NAME_BELOW) & ~15ull };
    int fd = 0;

    for (int i = 0; i < ATTACH_LIBRARIES && fd >= 0; i++) {
        char name[ATTACH_NAME_BYTES + sizeof(BROUGHT)];

        if (!is_missing(a, i))
            continue;
        snprintf(name, sizeof(name), BROUGHT_NAME "%s", page->name[i]);
        fd = make_memory(a, t, at, name);
        if (fd >= 0)
            page->fd[page->fds++] = fd;
    }
    if (fd < 0 || attach_sees(a, page->experiment))
        return fd < 0 ? fd : 0;
    fd = tracee_syscall(t, at, SYS_socketpair, pair, &ignored);
    if (fd == 0)
        fd = proc_read(a->pid, pair[3], &page->fd[page->fds], 2 * sizeof(int));
    if (fd == 0)
        page->socket = page->fd[page->fds + 1], page->fds += 2;
    return fd;
}

/* Copy a library into the target's file. */
static int
fill_file(const struct attach *a, const char *path, int number)
{
    char name[64], buffer[16384];
    int from = open(path, O_RDONLY | O_CLOEXEC), to, ret = 0;
    ssize_t n = 1;

    snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)a->pid, number);
    to = open(name, O_WRONLY | O_CLOEXEC);
    if (from < 0 || to < 0)
        ret = -errno;
    while (ret == 0 && (n = read(from, buffer, sizeof(buffer))) > 0)
        if (write(to, buffer, (size_t)n) != n)
            ret = -EIO;
    if (ret == 0 && n < 0)
        ret = -errno;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return ret;
}

/*
 * Send the directory's descriptor through a socket that the target itself has made:
 * that works in whatever namespaces the target is.
 */
static int
send_directory(const struct attach *a, int number, int directory)
{
    int fd = (int)syscall(SYS_pidfd_getfd, a->pidfd, number, 0), ret = 0;
    char byte = 0, control[CMSG_SPACE(sizeof(int))] = "";
    struct iovec io = { &byte, 1 };
    struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control,
                        .msg_controllen = sizeof(control) };
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);

    if (fd < 0)
        return -errno;
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &directory, sizeof(int));
    if (sendmsg(fd, &m, MSG_NOSIGNAL) != 1)
        ret = -errno;
    close(fd);
    return ret;
}

int
inject_files(struct attach *a, const struct attach_order *o)
{
    struct attach_page *page = attach_page(a);
    const struct remote_image *here;
    int missing = !attach_sees(a, page->experiment), ret = 0;
    u32 next = 0;

    for (int i = 0; i < ATTACH_LIBRARIES && o->libraries[i]; i++) {
        snprintf(page->library[i], ATTACH_PATH_BYTES, "%s", o->libraries[i]);
        snprintf(page->name[i], ATTACH_NAME_BYTES, "%s", base_name(o->libraries[i]));
        missing |= is_missing(a, i);
    }
    here = brought(a, page->name[0]);
    if (here)
        page->resident = image_function(here, page->entry);
    if (missing)
        ret = by_some_thread(a, 0, make_files);
    for (int i = 0; i < ATTACH_LIBRARIES && ret == 0 && missing; i++) {
        if (!is_missing(a, i))
            continue;
        ret = fill_file(a, page->library[i], page->fd[next]);
        snprintf(page->library[i], ATTACH_PATH_BYTES, "/proc/self/fd/%d",
                 page->fd[next++]);
    }
    if (ret == 0 && page->socket >= 0)
        ret = send_directory(a, page->fd[page->fds - 2], o->directory);
    return ret;
}

static int
remove_by(struct attach *a, struct tracee *t)
{
    const struct attach_page *page = attach_page(a);
    const u64 arg[6] = { a->base, ATTACH_BYTES };
    u64 ignored;

    if (!attach_is_there(a))
        return -ESRCH;
    for (u32 i = 0; i < page->fds && i < ATTACH_DESCRIPTORS && !page->has_closed; i++) {
        const u64 fd[6] = { (u64)page->fd[i] };

        (void)tracee_syscall(t, images_syscall(&a->images), SYS_close, fd, &ignored);
    }
    return tracee_syscall(t, images_syscall(&a->images), SYS_munmap, arg, &ignored);
}

void
inject_remove(struct attach *a)
{
    (void)by_some_thread(a, 0, remove_by);
}
