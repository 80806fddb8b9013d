/* SPDX-License-Identifier: Apache-2.0 */
/*
 * __register_frame() and __deregister_frame() of libgcc: call frame information of code
 * that is made at run time. libgcc may be loaded late, and visible only to the object
 * that uses it: then the real function is looked up for the caller's object.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>

#include "collector/libc/real.h"
#include "collector/sig/guard.h"
#include "collector/sig/announced.h"

typedef void frames_function(void *);

static struct guard_lock lock;

static frames_function *
find_in(const char *file, const char *name)
{
    void *handle = REAL(dlopen)(file, RTLD_LAZY | RTLD_NOLOAD), *found;

    if (!handle)
        return NULL;
    found = REAL(dlsym)(handle, name);
    REAL(dlclose)(handle);
    return (frames_function *)found;
}

/* The real function for a caller at pc. Keeps errno. */
static frames_function *
find_for(const void *pc, const char *name, frames_function *ours)
{
    frames_function *found = NULL;
    int saved = errno;
    Dl_info info;

    if (dladdr(pc, &info) && info.dli_fname)
        found = find_in(info.dli_fname, name);
    if (!found || found == ours)
        found = find_in("libgcc_s.so.1", name);
    errno = saved;
    return found;
}

WRAPPER void
__register_frame(void *frames)
{
    frames_function *next = real.__register_frame;
    u64 before;

    if (!next)
        next = find_for(__builtin_return_address(0), "__register_frame",
                        __register_frame);
    if (next)
        next(frames);
    before = guard_enter();
    guard_lock(&lock);
    announced_add((u64)(uintptr_t)frames);
    guard_unlock(&lock);
    guard_leave(before);
}

WRAPPER void
__deregister_frame(void *frames)
{
    frames_function *next = real.__deregister_frame;
    u64 before = guard_enter();

    guard_lock(&lock);
    announced_remove((u64)(uintptr_t)frames);
    guard_unlock(&lock);
    guard_leave(before);
    if (!next)
        next = find_for(__builtin_return_address(0), "__deregister_frame",
                        __deregister_frame);
    if (next)
        next(frames);
}
