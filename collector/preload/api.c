/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of libcollector.h, for C and, with an underscore, for Fortran. */
#define LIBCOLLECTOR_NO_MACROS
#include "collector/preload/libcollector.h"

#include <string.h>

#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/thread.h"
#include "collector/preload/made.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit.h"

#define API __attribute__((visibility("default")))

/* The calling thread, if it is recorded and recording has not ended. */
static struct thread *
recorded(void)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;

    if (!t || __atomic_load_n(&space_ctl->flags, __ATOMIC_ACQUIRE) & CTL_ENDED)
        return NULL;
    return t;
}

static void
sample(const char *name, size_t len)
{
    u64 mask = guard_enter();
    struct thread *t = recorded();

    if (t)
        expt_map_late(FILE_overview);
    if (t)
        sig_sample(t, CAUSE_CALL, name, len < ER_STR_MAX ? (u32)len : ER_STR_MAX);
    guard_leave(mask);
}

/*
 * Set or clear a flag that stops the recording of events, and have the launcher log
 * that.
 */
static void
change(u32 flag, int set, u32 cause)
{
    u64 mask = guard_enter();
    struct thread *t = recorded();
    u32 before = 0;

    if (t)
        before = set ? __atomic_fetch_or(&space_ctl->flags, flag, __ATOMIC_ACQ_REL)
                     : __atomic_fetch_and(&space_ctl->flags, ~flag, __ATOMIC_ACQ_REL);
    if (t && !(before & flag) == !!set) {
        expt_map_late(FILE_overview);
        sig_sample(t, cause, NULL, 0);
        space_want(WANT_LOG);
    }
    guard_leave(mask);
}

API void
collector_sample(char *name)
{
    sample(name ? name : "", name ? strlen(name) : 0);
}

API void
collector_pause(void)
{
    change(CTL_PAUSED, 1, CAUSE_PAUSE);
}

API void
collector_resume(void)
{
    change(CTL_PAUSED, 0, CAUSE_RESUME);
}

/* libc's pthread_t is the thread pointer. */
API void
collector_thread_pause(unsigned long thread)
{
    if (recorded())
        thread_pause(thread, 1);
}

API void
collector_thread_resume(unsigned long thread)
{
    if (recorded())
        thread_pause(thread, 0);
}

API void
collector_terminate_expt(void)
{
    if (recorded())
        thread_close_regions();
    change(CTL_ENDED, 1, CAUSE_END);
}

_Static_assert(sizeof(Lineno) == sizeof(struct made_pair), "one layout");

API void
collector_func_load(char *name, char *alias, char *sourcename, void *vaddr, int size,
                    int lntsize, Lineno *lntable)
{
    const char *sources[] = { sourcename };
    struct made_function f = { .addr = (u64)(uintptr_t)vaddr,
                               .size = size > 0 ? (u64)size : 0,
                               .name = name ? name : alias,
                               .origin = MADE_BY_CALL,
                               .sources = sources,
                               .nsources = sourcename && *sourcename,
                               .code = vaddr };

    __atomic_fetch_add(&made_by_call, 1, __ATOMIC_RELAXED);
    if (f.name)
        made_stub(f.name, f.addr);
    f.pairs = (const void *)lntable;
    f.npairs = lntable && lntsize > 0 ? (u32)lntsize : 0;
    made_load(&f);
}

API void
collector_func_unload(void *vaddr)
{
    made_unload((u64)(uintptr_t)vaddr, 1, 0);
}

/*
 * For Fortran: arguments are passed by address, the length of a string comes after all
 * other arguments, and strings are padded with blanks.
 */
API void collector_sample_(const char *name, size_t len);
API void collector_pause_(void);
API void collector_resume_(void);
API void collector_terminate_expt_(void);

API void
collector_sample_(const char *name, size_t len)
{
    while (len && name[len - 1] == ' ')
        len--;
    sample(name, len);
}

API void
collector_pause_(void)
{
    collector_pause();
}

API void
collector_resume_(void)
{
    collector_resume();
}

API void
collector_terminate_expt_(void)
{
    collector_terminate_expt();
}
