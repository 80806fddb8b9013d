/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/sandbox.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

#include "collector/attach/apart.h"
#include "collector/attach/debugger.h"
#include "collector/attach/inject.h"
#include "collector/attach/proc.h"
#include "collector/attach/tracee.h"
#include "share/filter.h"

enum {
    FILTERS = 256, /* filters of a thread; the kernel limits their instructions */
    TRIES = 400,   /* tries to stop a thread where it may be stopped, 1 ms apart */
    GET_FILTER = 0x420c, /* PTRACE_SECCOMP_GET_FILTER of linux/ptrace.h */
    STRICT = 1,    /* mode in /proc/PID/status: only read(), write(), _exit() */
};

struct program {
    struct sock_filter *code;
    u32 len;
};

/* The seccomp filters of a thread; the kernel runs all of them at each system call. */
struct filters {
    struct program program[FILTERS];
    u32 count;
};

static void
free_filters(struct filters *f)
{
    while (f->count)
        free(f->program[--f->count].code);
}

/* Read all filters of a stopped thread. 0 or -errno. */
static int
read_filters(pid_t tid, struct filters *f)
{
    const enum __ptrace_request get = (enum __ptrace_request)GET_FILTER;

    while (f->count < FILTERS) {
        long len = ptrace(get, tid, (long)f->count, NULL);
        struct sock_filter *code;

        if (len < 0)
            return errno == ENOENT ? 0 : -errno;
        code = calloc((size_t)len + 1, sizeof(*code));
        if (!code)
            return -ENOMEM;
        if (ptrace(get, tid, (long)f->count, code) != len) {
            free(code);
            return -EIO;
        }
        f->program[f->count++] = (struct program){ code, (u32)len };
    }
    return -E2BIG;
}

struct read_stopped {
    struct attach *a;
    pid_t tid;
    struct filters *filters;
};

static int
stop_and_read(void *arg)
{
    const struct read_stopped *l = arg;
    struct tracee t;
    int ret = tracee_stop(&t, l->a->pid, l->tid);

    if (ret < 0)
        return ret;
    ret = read_filters(l->tid, l->filters);
    attach_add_pause(l->a, tracee_release(&t));
    return ret;
}

/* Read the filters of a thread. 0, also if it has ended in the meantime; or -errno. */
static int
read_stopped(struct attach *a, pid_t tid, struct filters *f)
{
    const struct timespec ms = { 0, 1000000 };
    struct read_stopped l = { a, tid, f };
    int ret = -EAGAIN;

    for (int i = 0; i < TRIES && ret == -EAGAIN; i++) {
        ret = apart(stop_and_read, &l);
        if (ret == -EAGAIN)
            nanosleep(&ms, NULL);
    }
    return ret == -ESRCH ? 0 : ret;
}

static int
set_reason(struct attach *a, const char *what)
{
    snprintf(a->sandbox, sizeof(a->sandbox),
             "it restricts its own system calls (seccomp)%s", what);
    return 1;
}

static int
set_unread(struct attach *a, int error)
{
    if (error == -EACCES || error == -EPERM)
        return set_reason(a, ", and the kernel shows the filter to root alone, outside "
                             "of containers");
    return set_reason(a, ", and its filter cannot be read");
}

static int
forbids(struct attach *a, const struct filters *f, u32 uses)
{
    char text[64];

    for (u32 i = 0; i < f->count; i++) {
        const struct program *p = &f->program[i];
        const char *name = filter_forbids(p->code, p->len, uses);

        if (name) {
            snprintf(text, sizeof(text), ", which forbids %s", name);
            return set_reason(a, text);
        }
    }
    return 0;
}

/*
 * May we ask the kernel for filters? Only with CAP_SYS_ADMIN, without a filter of our
 * own, and without a debugger. This checks what is certain before a thread is stopped.
 */
static int
may_read_filter(void)
{
    pid_t self = getpid();
    u64 capabilities = proc_status(self, self, "CapEff:", 16, 0);

    return !debugger_answers() && !proc_status(self, self, "Seccomp:", 10, 0) &&
           capabilities >> CAP_SYS_ADMIN & 1;
}

static int
thread_forbids(struct attach *a, pid_t tid, u32 uses)
{
    u64 mode = proc_status(a->pid, tid, "Seccomp:", 10, 0);
    struct filters *f;
    int ret;

    if (!mode)
        return 0;
    if (mode == STRICT)
        return set_reason(a, ", strictly");
    if (!may_read_filter())
        return set_unread(a, -EACCES);
    f = calloc(1, sizeof(*f));
    ret = f ? read_stopped(a, tid, f) : -ENOMEM;
    ret = ret < 0 ? set_unread(a, ret) : forbids(a, f, uses);
    if (f)
        free_filters(f);
    free(f);
    return ret;
}

int
sandbox_forbids(struct attach *a, u32 uses)
{
    pid_t *tids;
    int n = proc_threads(a->pid, &tids), ret = 0;

    for (int i = 0; i < n && !ret; i++)
        ret = thread_forbids(a, tids[i], uses);
    if (n > 0)
        free(tids);
    return ret;
}
