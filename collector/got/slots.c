/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/got/slots.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/sys.h"

enum { FIRST = 1024, PAGE = 4096 };

static void
free_list(struct slots *s)
{
    if (s->slot)
        sys_call4(SYS_munmap, (long)(uintptr_t)s->slot,
                  (long)(s->room * sizeof(*s->slot)), 0, 0);
}

static int
have_room(struct slots *s)
{
    u64 more = s->room ? s->room * 2 : FIRST;
    long at;

    if (s->count < s->room)
        return 1;
    at = sys_mmap_anonymous(more * sizeof(*s->slot));
    if (at < 0 && at > -PAGE)
        return 0;
    if (s->slot)
        memcpy((void *)at, s->slot, s->count * sizeof(*s->slot));
    free_list(s);
    s->slot = (void *)at;
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

int
slots_protect(const struct got_object *o, int rights)
{
    if (o->relro_hi <= o->relro_lo)
        return 0;
    return (int)sys_call4(SYS_mprotect, (long)o->relro_lo,
                          (long)(o->relro_hi - o->relro_lo), rights, 0);
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
    int writable;

    (void)size;
    if (object_read(&o, info) < 0)
        return 0;
    writable = slots_protect(&o, PROT_READ | PROT_WRITE) == 0;
    for (u64 i = 0; writable && i < s->count; i++) {
        u64 at = (u64)(uintptr_t)s->slot[i].at, ours = s->slot[i].ours;

        if (at >= o.lo && at < o.hi)
            __atomic_compare_exchange_n(s->slot[i].at, &ours, s->slot[i].before, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    if (writable)
        (void)slots_protect(&o, PROT_READ);
    return 0;
}

void
slots_restore(struct slots *s)
{
    dl_iterate_phdr(restore_in, s);
    free_list(s);
    *s = (struct slots){ 0 };
}
