/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/bus.h"

#include <sys/mman.h>
#include <ucontext.h>

#include "collector/sig/action.h"
#include "collector/sig/frame.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/space.h"
#include "collector/sig/sys.h"

enum {
    PAGE = 4096,
    SIGSET_BYTES = 8,
};

/*
 * The segment of a data file that is mapped at the address, and the file's number in
 * *number; NULL if there is none.
 */
static unsigned char *
segment_at(u64 address, u32 *number)
{
    for (u32 i = 0; i < FILE_COUNT; i++)
        for (u32 k = 0; k < space_files[i].mapped && k < SPACE_SEGMENTS; k++)
            if (space_segments[k][i] &&
                address - (u64)(uintptr_t)space_segments[k][i] < ER_SEGMENT) {
                *number = i;
                return space_segments[k][i];
            }
    return NULL;
}

static int
is_control(u64 address)
{
    return address - (u64)(uintptr_t)space_ctl < sizeof(struct ctl) ||
           address - (u64)(uintptr_t)space_wake_page < sizeof(struct ctl);
}

/* Replace pages by zeroed private memory, which no truncation removes. 1 = done. */
static int
replace(u64 at, u64 bytes)
{
    const int flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

    return (u64)sys_call6(SYS_mmap, (long)at, (long)bytes, PROT_READ | PROT_WRITE,
                          flags, -1, 0) == at;
}

/*
 * Replace the whole segment, not only the page. What threads still write to its chunks
 * then stays in private memory, so the file keeps the chunks as they were last
 * committed: a chunk whose later records are lost must not get sealed there. If there
 * is no room for private memory of that size (RLIMIT_DATA), replace at least the page,
 * so that the store can be repeated.
 */
static int
replace_segment(u64 segment, u64 page)
{
    return replace(segment, ER_SEGMENT) || replace(page, PAGE);
}

/*
 * 1 in a child that was created by a raw system call instead of libc's fork(): the data
 * files are not mapped there, so the fault may be in some other mapping at the same
 * address.
 */
static int
is_alien(void)
{
    return !gate_is_open() && !gate_no_pid && hit_settings.pid &&
           (u32)sys_call4(SYS_getpid, 0, 0, 0, 0) != hit_settings.pid;
}

/*
 * 1 if the faulting page was one of ours and is now replaced: the store can be
 * repeated.
 */
static int
is_mended(const siginfo_t *info)
{
    u64 address = (u64)(uintptr_t)info->si_addr, page = address & ~(u64)(PAGE - 1);
    unsigned char *segment;
    u32 file, none = 0;

    if (info->si_code <= 0 || !space_ctl || is_alien())
        return 0;
    /* The new control page is all zero, by which every file is full: recording ends. */
    if (is_control(address))
        return replace(page, PAGE);
    segment = segment_at(address, &file);
    if (!segment || !replace_segment((u64)(uintptr_t)segment, page))
        return 0;
    __atomic_compare_exchange_n(&space_ctl->cut, &none, file + 1, 0, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
    __atomic_fetch_or(&space_ctl->flags, CTL_NO_SPACE | CTL_CUT, __ATOMIC_ACQ_REL);
    space_want(WANT_LOG);
    return 1;
}

/*
 * Let SIGBUS kill the process, its default action. A fault happens again when the
 * handler returns; a signal that somebody has sent is sent again.
 */
static void
die(const siginfo_t *info)
{
    u64 none[4] = { 0 }; /* the kernel's sigaction: SIG_DFL, no flags, no mask */

    sys_call4(SYS_rt_sigaction, SIGBUS, (long)(uintptr_t)none, 0, SIGSET_BYTES);
    if (info->si_code <= 0)
        sys_call4(SYS_rt_tgsigqueueinfo, sys_call4(SYS_getpid, 0, 0, 0, 0),
                  sys_call4(SYS_gettid, 0, 0, 0, 0), SIGBUS, (long)(uintptr_t)info);
}

void
sig_bus(int signo, siginfo_t *info, void *context)
{
    frame_handler *function;
    void *target = action_handler(SIGBUS);

    if (is_mended(info))
        return;
    if (target == (void *)SIG_DFL) {
        die(info);
        return;
    }
    __builtin_memcpy(&function, &target, sizeof(function));
    frame_pass(thread_in_handler(), function, signo, info, context);
}

void
sig_bus_open(const ucontext_t *uc)
{
    u64 bus = 1ull << (SIGBUS - 1), mask;

    __builtin_memcpy(&mask, &uc->uc_sigmask, sizeof(mask));
    if (ER_UNLIKELY(mask & bus))
        sys_call4(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)(uintptr_t)&bus, 0,
                  SIGSET_BYTES);
}
