/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_thread.h"

#include <errno.h>
#include <string.h>

#include "collector/sig/hotspot.h"
#include "collector/sig/mem.h"

enum {
    NONE = ~0u,             /* the offset of a member that this version lacks */
    THREADS = 1 << 16,      /* the most that are read of the VM's list */
    THREAD_BYTES = 1 << 14, /* more than the size of the VM's structure of a thread */
    STUBS = 4,              /* the most stub frames that are skipped */
    LOCKS = 64,             /* the most that are read of a thread's lock stack */
    ANONYMOUS = 1,          /* as owner: one that only the threads' lock stacks tell */
};

static struct java_thread_layout layout;
static u32 known; /* 1 = the layout has what is needed to find threads */

/* Offset of the JNI environment in a thread's structure; 0 = not known. */
static u64 jni_offset;

void
java_thread_set(const struct java_thread_layout *l)
{
    layout = *l;
    __atomic_store_n(&known,
                     l->list_at && l->list_length != NONE && l->list_threads != NONE &&
                         l->thread_os != NONE && l->os_id != NONE,
                     __ATOMIC_RELEASE);
}

/*
 * The kernel's id of the thread with this structure, 0 = it is not a thread's
 * structure.
 */
static u32
id_of(struct mem *m, u64 thread)
{
    u64 os, word;

    if (!mem_load(m, thread + layout.thread_os, &os) || !os ||
        !mem_load(m, os + layout.os_id, &word))
        return 0;
    return (u32)word;
}

/* The VM's present list of all threads. */
struct list {
    u64 at;
    u32 count;
};

static struct list
list_now(struct mem *m)
{
    struct list list = { 0, 0 };
    u64 object, length;

    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE) ||
        !mem_load(m, layout.list_at, &object) ||
        !mem_load(m, object + layout.list_length, &length) ||
        !mem_load(m, object + layout.list_threads, &list.at))
        return list;
    list.count = (u32)length < THREADS ? (u32)length : THREADS;
    return list;
}

/* The address of the JVM's structure of the thread with this kernel id; 0 = none. */
static u64
by_id(struct mem *m, u32 tid)
{
    struct list list = list_now(m);
    u64 thread;

    for (u32 i = 0; i < list.count; i++)
        if (mem_load(m, list.at + 8 * (u64)i, &thread) && id_of(m, thread) == tid)
            return thread;
    return 0;
}

u32
java_thread_count(void)
{
    u64 count = 0;
    struct mem m;

    mem_init(&m, 0, 0);
    if (!layout.count_at || !mem_load(&m, layout.count_at, &count))
        return 0;
    return (u32)count;
}

u64
java_thread_find(const void *jni, u32 tid)
{
    u64 offset = __atomic_load_n(&jni_offset, __ATOMIC_RELAXED);
    u64 env = (u64)(uintptr_t)jni, thread;
    struct mem m;

    mem_init(&m, 0, 0);
    if (!env || !tid || !__atomic_load_n(&known, __ATOMIC_ACQUIRE))
        return 0;
    if (offset)
        return id_of(&m, env - offset) == tid ? env - offset : 0;
    thread = by_id(&m, tid);
    if (!thread || env <= thread || env - thread > THREAD_BYTES)
        return 0;
    __atomic_store_n(&jni_offset, env - thread, __ATOMIC_RELAXED);
    return thread;
}

u32
java_thread_id(u64 thread)
{
    struct mem m;

    mem_init(&m, 0, 0);
    if (!thread || !__atomic_load_n(&known, __ATOMIC_ACQUIRE))
        return 0;
    return id_of(&m, thread);
}

/* Move to the method's frame, past the frames of stubs that it has called. */
static int
skip_stubs(struct mem *m, struct hotspot_frame *f)
{
    struct hotspot_blob blob;

    for (u32 i = 0; i < STUBS; i++) {
        if (hotspot_find(f->pc - 1, &blob))
            return -ENOENT;
        if (blob.kind == HOTSPOT_INTERPRETER || hotspot_is_method(&blob))
            return 0;
        if (hotspot_step(m, f))
            return -ENOENT;
    }
    return -ENOENT;
}

int
java_thread_start(u64 thread, struct walk_start *start)
{
    u64 anchor = thread + layout.thread_anchor;
    struct hotspot_frame f = { 0 };
    struct mem m;

    mem_init(&m, 0, 0);
    if (!thread || layout.thread_anchor == NONE || layout.anchor_sp == NONE ||
        layout.anchor_pc == NONE || layout.anchor_fp == NONE ||
        !mem_load(&m, anchor + layout.anchor_sp, &f.sp) || !f.sp ||
        !mem_load(&m, anchor + layout.anchor_pc, &f.pc) ||
        !mem_load(&m, anchor + layout.anchor_fp, &f.bp))
        return -ENOENT;
    /*
     * If the thread's anchor has no pc, the pc is the return address that the call left
     * on the stack.
     */
    if ((!f.pc && !mem_load(&m, f.sp - 8, &f.pc)) || skip_stubs(&m, &f))
        return -ENOENT;
    start->pc = f.pc;
    start->sp = f.sp;
    start->bp = f.bp;
    return 0;
}

/*
 * Is `owner` an address on the thread's stack? That is how a lock that is not inflated
 * names its owner.
 */
static int
is_on_stack(struct mem *m, u64 thread, u64 owner)
{
    u64 base, size;

    return layout.stack_base != NONE && layout.stack_size != NONE &&
           mem_load(m, thread + layout.stack_base, &base) &&
           mem_load(m, thread + layout.stack_size, &size) && owner < base &&
           base - owner <= size;
}

/* Is the object on the thread's lock stack? */
static int
is_among_locks(struct mem *m, u64 thread, u64 object)
{
    u64 stack = thread + layout.lock_stack, top, held;
    u64 at = layout.lock_stack + layout.lock_base;

    if (!mem_load(m, stack + layout.lock_top, &top))
        return 0;
    for (u32 i = 0; i < LOCKS && at + 8 <= (u32)top; i++, at += 8)
        if (mem_load(m, thread + at, &held) && held == object)
            return 1;
    return 0;
}

/* What a monitor says about its owner. */
struct owner {
    u64 word;
    u64 object; /* the locked object, if the owner is anonymous */
};

static int
owns(struct mem *m, u64 thread, const struct owner *owner)
{
    u64 id;

    if (owner->object)
        return is_among_locks(m, thread, owner->object);
    if (layout.owner_id != NONE)
        return mem_load(m, thread + layout.owner_id, &id) && id == owner->word;
    return thread == owner->word || is_on_stack(m, thread, owner->word);
}

static int
read_owner(struct mem *m, u64 monitor, struct owner *owner)
{
    u64 slot;

    if (!mem_load(m, monitor + layout.monitor_owner, &owner->word) || !owner->word)
        return 0;
    if (owner->word != ANONYMOUS)
        return 1;
    return layout.lock_stack != NONE && layout.lock_top != NONE &&
           layout.lock_base != NONE && layout.monitor_object != NONE &&
           mem_load(m, monitor + layout.monitor_object, &slot) && slot &&
           mem_load(m, slot, &owner->object) && owner->object;
}

u32
java_thread_owner(u64 thread)
{
    struct owner owner = { 0, 0 };
    u64 monitor, other;
    struct list list;
    struct mem m;

    mem_init(&m, 0, 0);
    if (!thread || layout.pending == NONE || layout.monitor_owner == NONE ||
        !mem_load(&m, thread + layout.pending, &monitor) || !monitor ||
        !read_owner(&m, monitor, &owner))
        return 0;
    list = list_now(&m);
    for (u32 i = 0; i < list.count; i++)
        if (mem_load(&m, list.at + 8 * (u64)i, &other) && owns(&m, other, &owner))
            return id_of(&m, other);
    return 0;
}
