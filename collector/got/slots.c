/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/got/slots.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/sys.h"

enum { FIRST = 1024 };

static void
free_list(struct slots *s)
{
    if (s->slot)
        sys_unmap(s->slot, s->room * sizeof(*s->slot));
}

static int
have_room(struct slots *s)
{
    u64 more = s->room ? s->room * 2 : FIRST;
    struct slot *longer;

    if (s->count < s->room)
        return 1;
    longer = sys_map(more * sizeof(*longer));
    if (!longer)
        return 0;
    if (s->slot)
        memcpy(longer, s->slot, s->count * sizeof(*longer));
    free_list(s);
    s->slot = longer;
    s->room = more;
    return 1;
}

int
slots_change(struct slots *s, u64 *at, u64 before, u64 ours)
{
    if (!have_room(s))
        return -ENOMEM;
    s->slot[s->count++] = (struct slot){ at, before, ours };
    __atomic_store_n(at, ours, __ATOMIC_RELEASE);
    return 0;
}

/*
 * May the word be written? FUTEX_WAKE_OP stores, atomically, what is there, or fails
 * with -EFAULT. It wakes nobody.
 */
static int
is_writable(u64 at)
{
    const u32 keep = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0);
    u32 other = 0;

    return sys_call6(SYS_futex, (long)(uintptr_t)&other, FUTEX_WAKE_OP_PRIVATE, 0, 0,
                     (long)at, (long)keep) >= 0;
}

static int
protect(const struct got_object *o, int rights)
{
    return (int)sys_call4(SYS_mprotect, (long)o->relro_lo,
                          (long)(o->relro_hi - o->relro_lo), rights, 0);
}

int
slots_open(const struct got_object *o)
{
    return o->relro_hi > o->relro_lo && !is_writable(o->relro_lo) &&
           protect(o, PROT_READ | PROT_WRITE) == 0;
}

void
slots_close(const struct got_object *o)
{
    (void)protect(o, PROT_READ);
}

int
slots_is_closed(const struct got_object *o, const u64 *at)
{
    return (u64)(uintptr_t)at >= o->relro_lo && (u64)(uintptr_t)at < o->relro_hi;
}

/*
 * Restore the slots that are in this object: it is in the loader's list, and thus still
 * loaded.
 */
static int
restore_in(struct dl_phdr_info *info, size_t size, void *arg)
{
    const struct slots *s = arg;
    struct got_object o;
    int opened;

    (void)size;
    if (object_read(&o, info) < 0)
        return 0;
    opened = slots_open(&o);
    for (u64 i = 0; i < s->count; i++) {
        u64 at = (u64)(uintptr_t)s->slot[i].at, ours = s->slot[i].ours;

        if (at >= o.lo && at < o.hi && (opened || !slots_is_closed(&o, s->slot[i].at)))
            __atomic_compare_exchange_n(s->slot[i].at, &ours, s->slot[i].before, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    if (opened)
        slots_close(&o);
    return 0;
}

void
slots_restore(struct slots *s)
{
    dl_iterate_phdr(restore_in, s);
    free_list(s);
    *s = (struct slots){ 0 };
}
