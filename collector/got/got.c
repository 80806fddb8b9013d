/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/got/got.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/got/object.h"
#include "collector/got/slots.h"
#include "collector/sig/guard.h"

enum {
    HOOKS = 2048, /* hooked functions of all tracing families; MPI has more than 800 */
    HEADS = 2048,
    LIBRARIES = 8,
    LOOKS = 16, /* for an object that never becomes read-only */
};

/* A hook, and the function that it replaces. */
struct hook {
    const char *name;
    const char *version; /* "" = matches any */
    u64 ours;
    u64 real;
    u32 next; /* index of the next hook with the same hash, + 1 */
};

static struct hook hooks[HOOKS];
static u32 hook_count, heads[HEADS];
static const void *own[LIBRARIES]; /* an address in each library of ours */
static u32 own_count;
static struct slots slots;
static u64 refused;
static int on, no_room;
static int unfinished; /* 1 = an object was met that the loader has not relocated */
static int looks;      /* how often this was so, one time after the other */
static u64 adds_seen; /* dlpi_adds when objects were last searched */
static struct guard_lock guard_got;

static int
is_own(const struct got_object *o)
{
    u64 here = (u64)(uintptr_t)&hooks;

    if (here >= o->lo && here < o->hi)
        return 1;
    for (u32 i = 0; i < own_count; i++)
        if ((u64)(uintptr_t)own[i] >= o->lo && (u64)(uintptr_t)own[i] < o->hi)
            return 1;
    return 0;
}

static int
is_loader(const struct dl_phdr_info *info)
{
    const char *slash = strrchr(info->dlpi_name, '/');

    return !strncmp(slash ? slash + 1 : info->dlpi_name, "ld-linux", 8);
}

struct wanted {
    const char *name;
    const char *version;
    u64 found;
};

static int
find_in(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct wanted *w = arg;
    struct got_object o;

    (void)size;
    if (object_read(&o, info) == 0 && !is_own(&o) && !is_loader(info))
        w->found = object_find(&o, w->name, w->version);
    return w->found != 0;
}

void *
got_find(const char *name, const char *version)
{
    struct wanted w = { name, version, 0 };

    dl_iterate_phdr(find_in, &w);
    return (void *)(uintptr_t)w.found;
}

struct wanted_in {
    struct wanted wanted;
    u64 here;
};

static int
find_where(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct wanted_in *w = arg;
    struct got_object o;

    (void)size;
    if (object_read(&o, info) < 0 || w->here < o.lo || w->here >= o.hi)
        return 0;
    w->wanted.found = object_find(&o, w->wanted.name, w->wanted.version);
    return 1;
}

void *
got_find_in(const void *here, const char *name)
{
    struct wanted_in w = { { name, "", 0 }, (u64)(uintptr_t)here };

    dl_iterate_phdr(find_where, &w);
    return (void *)(uintptr_t)w.wanted.found;
}

static u32
hash(const char *name)
{
    u32 h = 5381;

    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h % HEADS;
}

static void
add_hook(const struct got_object *o, u64 i)
{
    const char *name = o->strings + o->symbols[i].st_name;
    int hidden;
    struct hook h = { .name = name,
                      .version = object_version(o, i, &hidden),
                      .ours = o->bias + o->symbols[i].st_value };
    u32 *head = &heads[hash(name)];

    if (hook_count == HOOKS)
        return;
    h.real = (u64)(uintptr_t)got_find(name, h.version);
    if (!h.real || h.real == h.ours)
        return;
    h.next = *head;
    hooks[hook_count] = h;
    *head = ++hook_count;
}

/*
 * Add all hooks that a library of ours exports. Of several libraries with a hook
 * for a function, the last one's hook is called; it calls the hook of libcollector.so,
 * the first library, if that has one.
 */
static int
read_own(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct got_object o;
    u64 here = (u64)(uintptr_t)arg;

    (void)size;
    if (object_read(&o, info) < 0 || here < o.lo || here >= o.hi)
        return 0;
    for (u64 i = 1; i < o.count; i++)
        if (o.symbols[i].st_shndx && ELF64_ST_TYPE(o.symbols[i].st_info) == STT_FUNC &&
            ELF64_ST_BIND(o.symbols[i].st_info) == STB_GLOBAL)
            add_hook(&o, i);
    return 1;
}

static const struct hook *
hook_of(const struct got_object *o, u64 symbol)
{
    const char *name = o->strings + o->symbols[symbol].st_name;
    int hidden;

    for (u32 i = heads[hash(name)]; i; i = hooks[i - 1].next) {
        const struct hook *h = &hooks[i - 1];
        const char *wants;

        if (strcmp(h->name, name) != 0)
            continue;
        wants = object_version(o, symbol, &hidden);
        if (!*h->version || !*wants || !strcmp(h->version, wants))
            return h;
    }
    return NULL;
}

/*
 * 1 if the slot's value leads to the real function: directly, or through the object's
 * own code that lets the loader bind the slot at the first call.
 */
static int
resolves_to(const struct got_object *o, const struct hook *h, u64 value, u32 type)
{
    return value == h->real || (type == R_X86_64_JUMP_SLOT && value >= o->text_lo &&
                                value < o->text_hi && h->real - o->lo >= o->hi - o->lo);
}

static void
change(const struct got_object *o, const Elf64_Rela *r, int opened)
{
    u32 type = ELF64_R_TYPE(r->r_info);
    u64 *at = (u64 *)(uintptr_t)(o->bias + r->r_offset), value;
    const struct hook *h;

    if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT &&
         type != R_X86_64_64) ||
        !ELF64_R_SYM(r->r_info) || (type == R_X86_64_64 && r->r_addend))
        return;
    h = hook_of(o, ELF64_R_SYM(r->r_info));
    if (!h)
        return;
    value = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (value == h->ours)
        return;
    if (!resolves_to(o, h, value, type) || (!opened && slots_is_closed(o, at))) {
        refused++;
    } else if (slots_change(&slots, at, value, h->ours) < 0) {
        refused++;
        no_room = 1;
    }
}

static int
change_in(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct got_object o;
    int opened;

    (void)size;
    (void)arg;
    adds_seen = info->dlpi_adds;
    if (object_read(&o, info) < 0 || is_own(&o) || is_loader(info))
        return 0;
    opened = slots_open(&o);
    for (int k = 0; k < 2; k++)
        for (u64 i = 0; i < o.rela_count[k]; i++)
            change(&o, &o.rela[k][i], opened);
    if (opened)
        slots_close(&o);
    else if (o.relro_hi > o.relro_lo)
        unfinished = 1;
    return 0;
}

/* Change the slots of all objects; those that are still being loaded, the next time. */
static void
change_all(void)
{
    unfinished = 0;
    dl_iterate_phdr(change_in, NULL);
    looks = unfinished ? looks + 1 : 0;
    if (unfinished && looks < LOOKS)
        adds_seen = ~0ull;
}

int
got_start(const void *const *libraries, u32 count)
{
    hook_count = 0;
    memset(heads, 0, sizeof(heads));
    refused = 0;
    no_room = 0;
    own_count = count < LIBRARIES ? count : LIBRARIES;
    memcpy(own, libraries, own_count * sizeof(*own));
    for (u32 i = 0; i < own_count; i++)
        dl_iterate_phdr(read_own, (void *)(uintptr_t)own[i]);
    looks = 0;
    change_all();
    __atomic_store_n(&on, 1, __ATOMIC_RELEASE);
    return no_room ? -ENOMEM : 0;
}

static int
get_adds(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(u64 *)arg = info->dlpi_adds;
    return 1;
}

void
got_update(void)
{
    u64 adds = 0, mask;

    if (!__atomic_load_n(&on, __ATOMIC_ACQUIRE))
        return;
    dl_iterate_phdr(get_adds, &adds);
    if (adds == adds_seen)
        return;
    mask = guard_enter();
    /*
     * If another thread holds the lock, it does this work. Do not wait for it for long:
     * it may wait for the loader's lock, which our caller may hold.
     */
    if (guard_try(&guard_got)) {
        if (on)
            change_all();
        guard_unlock(&guard_got);
    }
    guard_leave(mask);
}

void
got_fork_child(void)
{
    guard_unlock(&guard_got);
}

void
got_end(void)
{
    u64 mask;

    if (!on)
        return;
    mask = guard_enter();
    guard_lock(&guard_got);
    on = 0;
    slots_restore(&slots);
    guard_unlock(&guard_got);
    guard_leave(mask);
}

u64
got_changed(void)
{
    return slots.count;
}

u64
got_refused(void)
{
    return refused;
}
