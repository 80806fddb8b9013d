/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/stopped.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "collector/inspect/account.h"

enum {
    PAGE = 4096,
    PARTS = STOPPED_STACK / PAGE + 1,
    NARROW_IP = 12, /* u32 of a 32-bit process's registers */
    /* The kernel's internal error code: restart the call unless a handler is to run. */
    ERESTARTNOHAND = 514,
};

int
stopped_init(struct stopped *s, pid_t pid)
{
    s->stack = malloc(STOPPED_STACK);
    s->sample.pid = (u32)pid;
    return s->stack ? 0 : -ENOMEM;
}

int
stopped_is_repeatable(u64 call)
{
    static const unsigned short calls[] = {
        SYS_read,        SYS_write,         SYS_readv,      SYS_writev,
        SYS_sendto,      SYS_recvfrom,      SYS_sendmsg,    SYS_recvmsg,
        SYS_recvmmsg,    SYS_sendmmsg,      SYS_accept,     SYS_accept4,
        SYS_connect,     SYS_semop,         SYS_semtimedop, SYS_epoll_wait,
        SYS_epoll_pwait, SYS_io_getevents,  SYS_rt_sigtimedwait,
        SYS_msgrcv,      SYS_msgsnd,        SYS_select,     SYS_pselect6,
        SYS_poll,        SYS_ppoll,         SYS_io_pgetevents,
        426 /* io_uring_enter */,           441 /* epoll_pwait2 */,
    };

    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
        if (calls[i] == call)
            return 1;
    return 0;
}

/* Read memory from `at` on, up to the first page that is not mapped: how many bytes. */
static u64
read_memory(pid_t pid, u64 at, void *to, u64 size)
{
    struct iovec local = { to, size }, remote[PARTS];
    u64 done = 0;
    int parts = 0;
    ssize_t got;

    /*
     * The kernel reads each part as a whole or not at all, so no part crosses a page's
     * end.
     */
    for (; done < size && parts < PARTS; parts++) {
        u64 bytes = PAGE - (at + done) % PAGE;

        if (bytes > size - done)
            bytes = size - done;
        remote[parts] = (struct iovec){ (void *)(uintptr_t)(at + done), bytes };
        done += bytes;
    }
    got = process_vm_readv(pid, &local, 1, remote, (unsigned long)parts, 0);
    return got < 0 ? 0 : (u64)got;
}

static void
copy_registers(struct stopped *s, const struct user_regs_struct *r)
{
    const u64 regs[RING_REGS] = {
        r->rax, r->rbx, r->rcx, r->rdx, r->rsi, r->rdi, r->rbp, r->rsp, r->rip,
        r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15,
    };

    memcpy(s->sample.regs, regs, sizeof(regs));
}

/*
 * Follow frame pointers, as the kernel does for its own samples. The chain may lead
 * from one stack to another, as Go's does.
 */
static void
follow_frames(struct stopped *s, pid_t pid)
{
    u64 bp = s->sample.regs[6], sp = s->sample.regs[7], page = 0, pair[2];
    unsigned char copy[PAGE];
    u64 n = 0;

    s->chain[n++] = s->sample.regs[STOPPED_IP];
    while (n < STOPPED_CHAIN && bp && bp % 8 == 0) {
        if (bp >= sp && bp - sp + sizeof(pair) <= s->sample.stack_bytes) {
            memcpy(pair, s->stack + (bp - sp), sizeof(pair));
        } else if (bp % PAGE <= PAGE - sizeof(pair)) {
            if (page != bp / PAGE && read_memory(pid, bp & ~(u64)(PAGE - 1), copy,
                                                 PAGE) != PAGE)
                break;
            page = bp / PAGE;
            memcpy(pair, copy + bp % PAGE, sizeof(pair));
        } else if (read_memory(pid, bp, pair, sizeof(pair)) != sizeof(pair)) {
            break;
        }
        s->chain[n++] = pair[1];
        bp = pair[0];
    }
    s->sample.chain = (const void *)s->chain;
    s->sample.chain_count = n;
}

/* Read the registers and the stack of a stopped thread. */
static void
read_thread(struct stopped *s, pid_t pid, u32 tid, struct user_regs_struct *regs,
            size_t bytes)
{
    struct ring_sample *sample = &s->sample;

    sample->tid = tid;
    sample->chain_count = sample->stack_bytes = 0;
    sample->stack = s->stack;
    if (bytes != sizeof(*regs)) {
        u32 narrow[NARROW_IP + 1];

        memcpy(narrow, regs, sizeof(narrow));
        memset(sample->regs, 0, sizeof(sample->regs));
        sample->regs[STOPPED_IP] = narrow[NARROW_IP];
        sample->abi = PERF_SAMPLE_REGS_ABI_32;
        sample->in_kernel = 0;
        return;
    }
    copy_registers(s, regs);
    sample->abi = PERF_SAMPLE_REGS_ABI_64;
    sample->in_kernel = (int64_t)regs->orig_rax >= 0;
    sample->stack_bytes = read_memory(pid, regs->rsp, s->stack, STOPPED_STACK);
    if (s->is_go)
        follow_frames(s, pid);
}

/*
 * Have the kernel restart the system call that the stop has interrupted before it began
 * to wait, unless a handler is to run: the call would else fail with EINTR.
 */
static void
repeat_call(u32 tid, struct user_regs_struct *regs)
{
    struct iovec all = { regs, sizeof(*regs) };

    if ((int64_t)regs->orig_rax < 0 || (int64_t)regs->rax != -EINTR ||
        !stopped_is_repeatable(regs->orig_rax))
        return;
    regs->rax = (u64)-ERESTARTNOHAND;
    (void)ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &all);
}

u64
stopped_time(pid_t pid, u32 tid)
{
    char what[64], text[128];

    snprintf(what, sizeof(what), "task/%u/schedstat", tid);
    return account_read_text(pid, what, text, sizeof(text))
               ? strtoull(text, NULL, 10) : 0;
}

int
stopped_begin(u32 tid)
{
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) < 0)
        return -errno;
    return ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) < 0 ? -errno : 0;
}

int
stopped_end(struct stopped *s, pid_t pid, u32 tid, int status)
{
    struct user_regs_struct regs;
    struct iovec all = { &regs, sizeof(regs) };
    int event = status >> 16, ret = 0;

    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &all) < 0)
        ret = -ESRCH;
    if (ret == 0 && s) {
        read_thread(s, pid, tid, &regs, all.iov_len);
        s->ran = stopped_time(pid, tid);
    }
    /*
     * Repeat the call only at the stop that we asked for: if the thread stopped for a
     * signal, the signal may interrupt the call.
     */
    if (ret == 0 && event == PTRACE_EVENT_STOP && WSTOPSIG(status) == SIGTRAP &&
        all.iov_len == sizeof(regs))
        repeat_call(tid, &regs);
    /* If it stopped for a signal, deliver that. */
    (void)ptrace(PTRACE_DETACH, tid, NULL,
                 (void *)(uintptr_t)(event ? 0 : WSTOPSIG(status)));
    return ret;
}
