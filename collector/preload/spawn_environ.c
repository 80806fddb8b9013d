/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/spawn_environ.h"

#include <unistd.h>

#include "collector/preload/descend.h"
#include "collector/preload/environ.h"
#include "collector/sig/sys.h"
#include "share/types.h"

enum { PAGE = 4096 };

static u32 borrower;          /* the thread that has replaced environ, 0 = none */
static char **lent, **before; /* the replacement, NULL = none; what it replaces */
static void *room;
static size_t room_bytes;

/*
 * Get memory for the replacement. It is never freed, since other threads may still read
 * the old environment.
 */
static int
make_room(size_t bytes)
{
    void *more;

    if (bytes <= room_bytes)
        return 1;
    bytes = (2 * bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    more = sys_map(bytes);
    if (!more)
        return 0;
    room = more;
    room_bytes = bytes;
    return 1;
}

/*
 * Wait until no other thread uses the replacement, and reserve it. 0 if this thread
 * uses it already, in a function that a handler has interrupted.
 */
static int
borrow(void)
{
    u32 self = (u32)sys_call4(SYS_gettid, 0, 0, 0, 0), nobody = 0;

    while (!__atomic_compare_exchange_n(&borrower, &nobody, self, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        if (nobody == self)
            return 0;
        nobody = 0;
        sys_call4(SYS_sched_yield, 0, 0, 0, 0);
    }
    return 1;
}

int
spawn_environ_install(void)
{
    size_t bytes;

    if (!descend_hands_down(environ) || !borrow())
        return 0;
    before = environ;
    bytes = descend_bytes(before);
    if (!make_room(bytes)) {
        __atomic_store_n(&borrower, 0, __ATOMIC_RELEASE);
        return 0;
    }
    lent = (char **)(uintptr_t)descend_environ(room, bytes, before);
    environ = lent;
    return 1;
}

void
spawn_environ_restore(void)
{
    /*
     * environ is no longer ours if the target has set a variable in the meantime: libc
     * has then made another array.
     */
    if (environ == lent)
        environ = before;
    else if (environ)
        environ_restore(environ);
    lent = NULL;
    __atomic_store_n(&borrower, 0, __ATOMIC_RELEASE);
}

void
spawn_environ_fork_child(void)
{
    if (lent && environ == lent)
        environ = before;
    lent = NULL;
    borrower = 0;
}
