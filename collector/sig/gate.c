/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/gate.h"

#include <errno.h>
#include <sys/mman.h>

#include "collector/sig/space.h"
#include "collector/sig/sys.h"

enum { PAGE = 4096 };

static u32 closed;
u32 *gate_word = &closed;
u32 gate_limited, gate_no_pid;

static u32 recorded_pid;
static int leaving;

enum gate_state
gate_state_of(int open, int same_process, int is_leaving, u32 flags)
{
    if (!open)
        return GATE_SHUT;
    if (!same_process)
        return GATE_VFORK_CHILD;
    if (is_leaving)
        return GATE_LEAVING;
    if (flags & CTL_OVER)
        return GATE_OVER;
    return flags & CTL_PAUSED ? GATE_PAUSED : GATE_RECORDING;
}

static int
is_same_process(void)
{
    return gate_no_pid || (u32)sys_call4(SYS_getpid, 0, 0, 0, 0) == recorded_pid;
}

enum gate_state
gate_state(void)
{
    if (!gate_is_open())
        return GATE_SHUT;
    return gate_state_of(1, is_same_process(), leaving,
                         __atomic_load_n(&space_ctl->flags, __ATOMIC_ACQUIRE));
}

int
gate_is_owner(void)
{
    return gate_state() > GATE_VFORK_CHILD;
}

int
gate_in_vfork_child(void)
{
    return gate_state() == GATE_VFORK_CHILD;
}

int
gate_is_leaving(void)
{
    return leaving;
}

/*
 * Map the page of the gate's word, which the kernel clears in a forked child. The same
 * page serves all later recordings, too.
 */
static int
make_word(void)
{
    u32 *word = sys_map(PAGE);

    if (!word)
        return -ENOMEM;
    if (sys_call4(SYS_madvise, (long)(uintptr_t)word, PAGE, MADV_WIPEONFORK, 0) < 0)
        return -ENOSYS;
    __atomic_store_n(&gate_word, word, __ATOMIC_RELEASE);
    return 0;
}

int
gate_open(u32 pid)
{
    int error = gate_word == &closed ? make_word() : 0;

    if (error < 0)
        return error;
    recorded_pid = pid;
    leaving = 0;
    __atomic_store_n(gate_word, 1, __ATOMIC_RELEASE);
    return 0;
}

void
gate_leave(void)
{
    leaving = 1;
}

void
gate_stay(void)
{
    leaving = 0;
}

void
gate_shut(void)
{
    __atomic_store_n(gate_word, 0, __ATOMIC_RELEASE);
}
