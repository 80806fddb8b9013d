/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/node.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/objtab.h"
#include "collector/sig/sys.h"
#include "share/ctl.h"

struct node_entry node_table[NODE_SETS][NODE_WAYS] __attribute__((aligned(4096)));
u32 node_mask = NODE_SETS_FIRST - 1;

enum {
    TABLE_NODES = NODE_SETS * NODE_WAYS,
    TOUCH_SETS = 512, /* up to these, new sets are touched ahead: see grow() */
    PAGE_SETS = 4096 / sizeof(struct node_entry) / NODE_WAYS,
};

u32 node_segment_wanted;
u64 node_dropped;
u64 node_written;

static struct node *segments[NODE_SEGMENTS];
static u32 attached;   /* segments 0 to attached - 1 are mapped */
static u32 generation; /* of batches */
static u64 *given;     /* bytes of the file given out */
static const u64 *limit; /* bytes that it has, or NULL: all that is attached */

/* As zero as at the start, without touching what was never used. */
static void
wipe_table(void)
{
    node_mask = NODE_SETS_FIRST - 1;
    if (sys_call4(SYS_madvise, (long)(uintptr_t)node_table, sizeof(node_table),
                  MADV_DONTNEED, 0) < 0)
        memset(node_table, 0, sizeof(node_table));
}

void
node_start(u64 *next)
{
    int again = given != NULL;

    __atomic_store_n(&attached, 0, __ATOMIC_RELEASE);
    given = next;
    limit = NULL;
    if (again) {
        memset(segments, 0, sizeof(segments));
        wipe_table();
    }
    node_dropped = 0;
    node_written = 0;
    node_segment_wanted = 1;
    generation++;
    objtab_generation++;
}

void
node_limit(const u64 *reserved)
{
    limit = reserved;
}

int
node_attach(u32 index, void *base)
{
    if (index >= NODE_SEGMENTS || index != attached)
        return -EINVAL;
    segments[index] = base;
    if (index == 0) {
        u64 first = 0;

        memcpy(base, NODE_MAGIC, 8);
        __atomic_compare_exchange_n(given, &first, sizeof(struct node), 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    node_segment_wanted = 0;
    __atomic_store_n(&attached, index + 1, __ATOMIC_RELEASE);
    return 0;
}

const struct node *
node_at(u32 id)
{
    u32 segment = id / NODE_SEGMENT_NODES;

    if (segment >= __atomic_load_n(&attached, __ATOMIC_ACQUIRE))
        return NULL;
    return &segments[segment][id % NODE_SEGMENT_NODES];
}

/* Bytes that nodes may be written to. */
static u64
room(void)
{
    u64 mapped = (u64)__atomic_load_n(&attached, __ATOMIC_ACQUIRE) *
                 NODE_SEGMENT_NODES * sizeof(struct node);
    u64 has = limit ? __atomic_load_n(limit, __ATOMIC_ACQUIRE) : mapped;

    return has < mapped ? has : mapped;
}

/* Take NODE_BATCH ids of the file's; 0, or -ENOSPC. The first batch is one shorter. */
static int
take_batch(u64 *ids)
{
    u64 has = room(), next, end;

    if (has == 0)
        return -ENOSPC;
    next = __atomic_load_n(given, __ATOMIC_RELAXED);
    do {
        end = (next / sizeof(struct node) | (NODE_BATCH - 1)) + 1;
        if (end * sizeof(struct node) > has) {
            node_segment_wanted = 1;
            return -ENOSPC;
        }
    } while (!__atomic_compare_exchange_n(given, &next, end * sizeof(struct node), 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (ctl_is_scarce(end * sizeof(struct node), has))
        node_segment_wanted = 1;
    *ids = next / sizeof(struct node) | end << 32;
    return 0;
}

/*
 * The next id of the thread's batch, 0 without room. A nested walk may take ids in
 * between; the ids of a batch that it replaces are lost.
 */
static u32
take_id(struct node_batch *batch)
{
    u32 now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    u64 ids = __atomic_load_n(&batch->ids, __ATOMIC_RELAXED);

    if (ER_UNLIKELY(batch->generation != now)) {
        batch->generation = now;
        batch->ids = ids = 0;
    }
    for (;;) {
        u64 old = ids;

        if ((u32)ids == ids >> 32 && take_batch(&ids) != 0)
            return 0;
        if (__atomic_compare_exchange_n(&batch->ids, &old, ids + 1, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return (u32)ids;
        ids = old;
    }
}

static u32
instance_of(u64 key)
{
    u32 flags = (u32)(key >> 48);
    u64 pc = key & NODE_PC_MASK;
    struct objtab_object object;

    if (pc == 0)
        return 0;
    if (!objtab_find(flags & NODE_EXACT ? pc : pc - 1, &object)) {
        objtab_note_use(0);
        return 0;
    }
    objtab_note_use(object.instance);
    return object.instance;
}

static struct node_entry *
empty_way(struct node_entry *set)
{
    for (int i = 0; i < NODE_WAYS; i++)
        if (__atomic_load_n(&set[i].link, __ATOMIC_RELAXED) == 0)
            return &set[i];
    return NULL;
}

/*
 * More sets, when half of the places may be taken. A page that is written at once takes
 * one fault; one that is read before takes two.
 */
static void
grow(void)
{
    u32 mask = __atomic_load_n(&node_mask, __ATOMIC_RELAXED);
    u32 sets = mask + 1;
    u64 written = __atomic_load_n(&node_written, __ATOMIC_RELAXED);

    if (ER_LIKELY(written <= (u64)sets * NODE_WAYS / 2) || sets == NODE_SETS)
        return;
    for (u32 i = sets; sets < TOUCH_SETS && i < sets * NODE_SETS_STEP; i += PAGE_SETS)
        __atomic_fetch_or(&node_table[i][0].link, 0, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&node_mask, &mask, sets * NODE_SETS_STEP - 1, 0,
                                __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static void
cache(u32 parent, u64 key, u32 hash, u32 id)
{
    u64 link = (u64)parent << 32 | id;
    struct node_entry *e = empty_way(node_set(hash));

    if (!e)
        e = empty_way(node_set(hash ^ 1));
    if (!e)
        e = &node_set(hash ^ (id >> 2 & 1))[id % NODE_WAYS];
    __atomic_store_n(&e->check, key ^ link * NODE_LINK_MIX, __ATOMIC_RELAXED);
    __atomic_store_n(&e->link, link, __ATOMIC_RELEASE);
}

static u32
take_out(struct node_entry *set, u32 parent, u64 key)
{
    for (int i = 0; i < NODE_WAYS; i++) {
        u64 link = __atomic_load_n(&set[i].link, __ATOMIC_ACQUIRE);
        u64 check = __atomic_load_n(&set[i].check, __ATOMIC_RELAXED);

        if ((check ^ link * NODE_LINK_MIX) != key || link >> 32 != parent)
            continue;
        __atomic_store_n(&set[i].check, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&set[i].link, 0, __ATOMIC_RELAXED);
        return (u32)link;
    }
    return 0;
}

/* Move it here from where it was cached when there were fewer sets. 0 if it was not. */
static u32
find_old(u32 parent, u64 key, u32 hash)
{
    u32 mask = __atomic_load_n(&node_mask, __ATOMIC_RELAXED), id = 0;

    /* By then all that anybody asks for has moved. */
    if (__atomic_load_n(&node_written, __ATOMIC_RELAXED) > 2 * TABLE_NODES)
        return 0;
    while (!id && mask > NODE_SETS_FIRST - 1) {
        mask /= NODE_SETS_STEP;
        id = take_out(node_table[hash & mask], parent, key);
        if (!id)
            id = take_out(node_table[(hash ^ 1) & mask], parent, key);
    }
    if (id)
        cache(parent, key, hash, id);
    return id;
}

u32
node_intern(struct node_batch *batch, u32 parent, u64 key, u32 hash)
{
    u32 id = node_cached(parent, key, hash);
    struct node *node;

    if (id == 0)
        id = node_in_set(node_set(hash ^ 1), parent, key);
    if (id == 0)
        id = find_old(parent, key, hash);
    if (id != 0)
        return id;
    id = take_id(batch);
    if (id == 0) {
        __atomic_fetch_add(&node_dropped, 1, __ATOMIC_RELAXED);
        return 0;
    }
    node = &segments[id / NODE_SEGMENT_NODES][id % NODE_SEGMENT_NODES];
    node->parent = parent;
    node->instance = instance_of(key);
    __atomic_store_n(&node->pc_flags, key, __ATOMIC_RELEASE);
    __atomic_fetch_add(&node_written, 1, __ATOMIC_RELAXED);
    cache(parent, key, hash, id);
    grow();
    return id;
}

void
node_flush(u64 lo, u64 hi)
{
    /* How many are in use is asked each time: sets may be added meanwhile. */
    for (u32 i = 0;
         i / NODE_WAYS <= __atomic_load_n(&node_mask, __ATOMIC_ACQUIRE); i++) {
        struct node_entry *e = &node_table[i / NODE_WAYS][i % NODE_WAYS];
        u64 pc = (e->check ^ e->link * NODE_LINK_MIX) & NODE_PC_MASK;

        if (e->link && pc >= lo && pc <= hi) {
            __atomic_store_n(&e->check, 0, __ATOMIC_RELAXED);
            __atomic_store_n(&e->link, 0, __ATOMIC_RELAXED);
        }
    }
}
