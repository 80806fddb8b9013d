/* SPDX-License-Identifier: Apache-2.0 */
/*
 * __register_frame() and __deregister_frame() of libgcc: call frame information of code
 * that is made at run time. libgcc may be loaded late, and visible only to the object
 * that uses it: then the real function is looked up in all objects.
 */
#include "collector/got/got.h"
#include "collector/libc/real.h"
#include "collector/sig/guard.h"
#include "collector/sig/announced.h"

typedef void frames_function(void *);

static struct guard_lock lock;

/*
 * The real function, whatever object has it. Not by dlopen() and dlsym(): they would
 * take away the error that the target has yet to read by dlerror().
 */
static frames_function *
find(frames_function *known, const char *name)
{
    return known ? known : (frames_function *)got_find(name, "");
}

WRAPPER void
__register_frame(void *frames)
{
    frames_function *next = find(real.__register_frame, "__register_frame");
    u64 before;

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
    frames_function *next = find(real.__deregister_frame, "__deregister_frame");
    u64 before = guard_enter();

    guard_lock(&lock);
    announced_remove((u64)(uintptr_t)frames);
    guard_unlock(&lock);
    guard_leave(before);
    if (next)
        next(frames);
}
