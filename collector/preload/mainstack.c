/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/mainstack.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

#include "collector/preload/maps.h"

enum {
    PAGE = 4096,
};

/* A variable of glibc's loader (since 2.1) with the stack pointer at the start. */
extern void *__libc_stack_end __attribute__((weak));

u64
mainstack_entry(void)
{
    return &__libc_stack_end ? (u64)(uintptr_t)__libc_stack_end : 0;
}

u64
mainstack_top(const char *execfn)
{
    u64 top;

    if (!execfn)
        return 0;
    top = (u64)(uintptr_t)execfn + strlen(execfn) + 1 + sizeof(u64);
    return top % PAGE == 0 ? top : 0;
}

/* Bytes to which the stack may grow; 0 = no limit. */
static u64
most_bytes(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    return limit.rlim_cur;
}

static void
each_mapping(const struct maps_line *line, void *arg)
{
    u64 *found = arg;

    if (strcmp(line->name, "[stack]") != 0)
        return;
    found[0] = line->lo;
    found[1] = line->hi;
}

void
mainstack_find(u64 *lo, u64 *hi)
{
    u64 here = (u64)(uintptr_t)__builtin_frame_address(0) & ~(u64)(PAGE - 1);
    u64 most = most_bytes(), found[2] = { 0, 0 };
    u64 top = mainstack_top((const char *)(uintptr_t)getauxval(AT_EXECFN));

    if (most && top > here && top - here < most) {
        found[0] = here;
        found[1] = top;
    } else {
        (void)maps_read(each_mapping, found);
    }
    if (most && most < found[1] && found[1] - most < found[0])
        found[0] = found[1] - most;
    *lo = found[0];
    *hi = found[1];
}
