/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/leaks/stop.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

enum {
    ROUNDS = 10,    /* of listing threads: one may create others before it stops */
    WAITS = 2000,   /* polls for a thread to stop; disk I/O may delay that */
    WAIT_NS = 500000,
};

static struct stop_thread *
add(struct stop *stop, pid_t tid)
{
    if (stop->count == stop->room) {
        u32 room = stop->room ? 2 * stop->room : 16;
        struct stop_thread *grown = reallocarray(stop->thread, room, sizeof(*grown));

        if (!grown)
            return NULL;
        stop->thread = grown;
        stop->room = room;
    }
    stop->thread[stop->count] = (struct stop_thread){ .tid = tid };
    return &stop->thread[stop->count++];
}

static int
is_known(const struct stop *stop, pid_t tid)
{
    for (u32 i = 0; i < stop->count; i++)
        if (stop->thread[i].tid == tid)
            return 1;
    return 0;
}

/* If the thread stopped for a signal, keep the signal to deliver it later. */
static void
keep_signal(struct stop_thread *t, int status)
{
    t->held = WIFSTOPPED(status);
    if (t->held && status >> 16 == 0)
        t->signal = WSTOPSIG(status);
}

static void
await(struct stop_thread *t)
{
    const struct timespec pause = { 0, WAIT_NS };
    int status;

    for (int i = 0; i < WAITS; i++) {
        pid_t done = waitpid(t->tid, &status, __WALL | WNOHANG);

        if (done == t->tid)
            keep_signal(t, status);
        if (done != 0)
            return;
        nanosleep(&pause, NULL);
    }
}

static void
read_registers(struct stop_thread *t)
{
#if defined(__x86_64__)
    struct user_regs_struct r;

    if (!t->held || ptrace(PTRACE_GETREGS, t->tid, NULL, &r) < 0)
        return;
    t->sp = r.rsp;
    t->pointer = r.fs_base;
    memcpy(t->reg,
           (const u64[STOP_REGISTERS]){ r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi,
                                        r.rbp, r.r8, r.r9, r.r10, r.r11, r.r12,
                                        r.r13, r.r14, r.r15 },
           sizeof(t->reg));
#else
#error "collector/leaks: registers of this architecture are not written yet"
#endif
}

/* Seize a thread. 0 also if it has ended or may not be traced; -ENOMEM. */
static int
seize(struct stop *stop, pid_t tid)
{
    struct stop_thread *t;

    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) < 0) {
        stop->refused |= errno == EPERM;
        return 0;
    }
    t = add(stop, tid);
    if (!t)
        return -ENOMEM;
    (void)ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
    return 0;
}

/*
 * Seize the threads that are not seized yet, and wait until they have stopped. *more:
 * whether there were any.
 */
static int
seize_new(struct stop *stop, const char *path, int *more)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    u32 before = stop->count;
    int ret = 0;

    if (!dir)
        return -errno;
    while (ret == 0 && (entry = readdir(dir))) {
        pid_t tid = (pid_t)atoi(entry->d_name);

        if (tid > 0 && !is_known(stop, tid))
            ret = seize(stop, tid);
    }
    closedir(dir);
    for (u32 i = before; i < stop->count; i++)
        await(&stop->thread[i]);
    *more = stop->count > before;
    return ret;
}

int
stop_begin(struct stop *stop, pid_t pid)
{
    char path[64];
    int ret = 0, more = 1;

    memset(stop, 0, sizeof(*stop));
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    for (int i = 0; i < ROUNDS && more && ret == 0; i++)
        ret = seize_new(stop, path, &more);
    for (u32 i = 0; i < stop->count; i++)
        read_registers(&stop->thread[i]);
    return ret;
}

void
stop_end(struct stop *stop)
{
    for (u32 i = 0; i < stop->count; i++) {
        struct stop_thread *t = &stop->thread[i];

        /*
         * Only a stopped thread can be detached. The kernel detaches other threads when
         * their tracer ends.
         */
        if (!t->held)
            await(t);
        (void)ptrace(PTRACE_DETACH, t->tid, NULL, (void *)(long)t->signal);
    }
    free(stop->thread);
    memset(stop, 0, sizeof(*stop));
}
