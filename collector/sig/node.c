/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/node.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/cache_use.h"
#include "collector/sig/early.h"
#include "collector/sig/objtab.h"
#include "collector/sig/sys.h"
#include "share/ctl.h"

enum {
    FIRST_MASK = (NODE_SETS_FIRST - 1) * NODE_SET_BYTES,
    TABLE_NODES = NODE_SETS * NODE_WAYS,
    TOUCH_SETS = 512, /* new sets are touched ahead only up to this number */
    PAGE_SETS = 4096 / NODE_SET_BYTES,
    /* With one of these flags, a node's pc is not an address. */
    NODE_NO_PC = NODE_JOINED | NODE_WAITING | NODE_CODE | NODE_MIXED,
};

struct node_entry node_table[2 * NODE_SETS][NODE_WAYS] __attribute__((aligned(4096)));
u64 node_mask = FIRST_MASK;

u32 node_segment_wanted;
u32 node_file;
u64 node_dropped;
/* In a cache line of its own: all threads write it. */
ER_LARGE u64 node_written;

static ER_LARGE struct node *segments[NODE_SEGMENTS];
static u32 attached;   /* segments 0 to attached - 1 are mapped */
static u64 *given;     /* how many bytes of the file were given out */
static const u64 *limit; /* how many bytes the file has; NULL: all that is attached */

/* Make the table all zero, without touching pages that were never used. */
static void
wipe_table(void)
{
    node_mask = FIRST_MASK;
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
    node_file++;
    objtab_generation++;
}

void
node_limit(const u64 *reserved)
{
    limit = reserved;
}

void
node_stop(void)
{
    __atomic_store_n(&attached, 0, __ATOMIC_RELEASE);
    limit = NULL;
    memset(segments, 0, sizeof(segments));
    wipe_table();
    node_file++;
    objtab_generation++;
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

/* How many bytes of the file nodes may be written to. */
static u64
room(void)
{
    u64 mapped = (u64)__atomic_load_n(&attached, __ATOMIC_ACQUIRE) *
                 NODE_SEGMENT_NODES * sizeof(struct node);
    u64 has = limit ? __atomic_load_n(limit, __ATOMIC_ACQUIRE) : mapped;

    return has < mapped ? has : mapped;
}

/*
 * Take the next NODE_BATCH ids of the file into *ids (struct node_batch). 0, or
 * -ENOSPC. The file's first batch has one id less.
 */
static int
alloc_batch(u64 *ids)
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
 * between; the ids of a batch that it replaces are lost. If the batch is of another
 * file, as at first in a forked child, its ids are cleared before its generation is
 * set, lest a nested walk take them for ids of this file.
 */
static u32
alloc_id(struct node_batch *batch)
{
    u32 now = __atomic_load_n(&node_file, __ATOMIC_RELAXED);
    u64 ids = __atomic_load_n(&batch->ids, __ATOMIC_RELAXED);

    if (ER_UNLIKELY(batch->generation != now)) {
        ids = 0;
        __atomic_store_n(&batch->ids, ids, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        __atomic_store_n(&batch->generation, now, __ATOMIC_RELAXED);
    }
    for (;;) {
        u64 old = ids;

        if ((u32)ids == ids >> 32 && alloc_batch(&ids) != 0)
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

    if (pc == 0 || flags & NODE_NO_PC)
        return 0;
    if (!objtab_find(flags & NODE_EXACT ? pc : pc - 1, &object)) {
        cache_use_mark(0, pc);
        return 0;
    }
    cache_use_mark(object.instance, pc);
    return object.instance ? object.instance : early_number(&object);
}

/*
 * Use more sets. New pages are written to first: a page that is read before it is
 * written takes two faults.
 */
void
node_spread(void)
{
    u64 mask = node_mask_now();
    u32 more = (u32)(mask / NODE_SET_BYTES + 1) * NODE_SETS_STEP;

    if (more > NODE_SETS)
        return;
    for (u32 i = more; more <= TOUCH_SETS && i < 2 * more; i += PAGE_SETS)
        __atomic_fetch_or(&node_table[i][0].link, 0, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&node_mask, &mask, (u64)(more - 1) * NODE_SET_BYTES, 0,
                                __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Use more sets when half of the places may be taken. */
static void
grow(void)
{
    u64 places = (node_mask_now() / NODE_SET_BYTES + 1) * NODE_WAYS;

    if (ER_UNLIKELY(__atomic_load_n(&node_written, __ATOMIC_RELAXED) > places / 2))
        node_spread();
}

/* Place number i of a key's group; the first ones are those of its own set. */
static struct node_entry *
place(u32 hash, u64 mask, u32 i)
{
    return node_set(hash ^ i / NODE_WAYS % NODE_GROUP, mask) + i % NODE_WAYS;
}

static u64
key_in(const struct node_entry *e)
{
    return __atomic_load_n(&e->check, __ATOMIC_RELAXED) ^
           __atomic_load_n(&e->link, __ATOMIC_RELAXED) * NODE_LINK_MIX;
}

/*
 * Choose a place of the key's group: a free one, else one with NODE_ASLEEP, else any.
 */
static struct node_entry *
choose(u32 hash, u32 any)
{
    u64 mask = node_mask_now();
    struct node_entry *asleep = NULL;

    for (u32 i = 0; i < NODE_GROUP * NODE_WAYS; i++) {
        struct node_entry *e = place(hash, mask, i);
        u64 old = __atomic_load_n(&e->link, __ATOMIC_RELAXED);

        if (old == 0 || old == NODE_LEFT)
            return e;
        if (!asleep && key_in(e) & NODE_ASLEEP)
            asleep = e;
    }
    return asleep ? asleep : place(hash, mask, any);
}

/*
 * Free an entry. Its link becomes NODE_LEFT, not 0: keys that did not fit into this set
 * may be in the following sets of the group, so a search must not stop here.
 */
static void
leave(struct node_entry *e)
{
    __atomic_store_n(&e->check, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&e->link, NODE_LEFT, __ATOMIC_RELAXED);
}

/* Put a node into the cache. seen: as for rule_put(). */
static void
cache(u32 parent, u64 key, u32 hash, u32 id, u32 seen)
{
    u64 link = (u64)parent << 32 | id;
    u64 check = key ^ link * NODE_LINK_MIX, tried = check ^ NODE_TRIED;
    struct node_entry *e = choose(hash, id);

    __atomic_store_n(&e->check, tried, __ATOMIC_RELAXED);
    __atomic_store_n(&e->link, link, __ATOMIC_RELEASE);
    recent_add(NODE_PLACE + (u32)(e - node_table[0]));
    if (ER_UNLIKELY(objtab_now() != seen))
        leave(e);
    else /* unless another thread has changed it since */
        __atomic_compare_exchange_n(&e->check, &tried, check, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
}

static u32
find(u64 mask, u32 parent, u64 key, u32 hash)
{
    for (u32 i = 0; i < NODE_GROUP * NODE_WAYS; i++) {
        struct node_entry *e = place(hash, mask, i);
        u64 link = __atomic_load_n(&e->link, __ATOMIC_ACQUIRE);
        u64 check = __atomic_load_n(&e->check, __ATOMIC_RELAXED);

        if (link == 0)
            break;
        if ((check ^ link * NODE_LINK_MIX) == key && link >> 32 == parent)
            return (u32)link;
    }
    return 0;
}

/*
 * Find the node in the sets in use, or in a former region, from which it is then
 * copied. 0 = not found, or its object is unloaded.
 */
static u32
find_any(u32 parent, u64 key, u32 hash, u32 seen)
{
    u64 mask = node_mask_now();
    u32 id = find(mask, parent, key, hash);

    /*
     * Do not search former regions when so many nodes were written: assume that those
     * still needed have been copied.
     */
    if (id || __atomic_load_n(&node_written, __ATOMIC_RELAXED) > 2 * TABLE_NODES)
        return id;
    while (!id && mask > FIRST_MASK) {
        mask = (mask + NODE_SET_BYTES) / NODE_SETS_STEP - NODE_SET_BYTES;
        id = find(mask, parent, key, hash);
    }
    if (!id)
        return 0;
    /* Do not copy a node of an object that was just unloaded. */
    if (node_at(id)->instance != instance_of(key))
        return 0;
    cache(parent, key, hash, id, seen);
    return id;
}

u32
node_intern(struct node_batch *batch, u32 parent, u64 key, u32 hash)
{
    u32 seen = objtab_now();
    u32 id = find_any(parent, key, hash, seen);
    struct node *node;

    if (id != 0)
        return id;
    id = alloc_id(batch);
    if (id == 0) {
        __atomic_fetch_add(&node_dropped, 1, __ATOMIC_RELAXED);
        return 0;
    }
    node = &segments[id / NODE_SEGMENT_NODES][id % NODE_SEGMENT_NODES];
    node->parent = parent;
    node->instance = instance_of(key);
    __atomic_store_n(&node->pc_flags, key, __ATOMIC_RELEASE);
    __atomic_fetch_add(&node_written, 1, __ATOMIC_RELAXED);
    cache(parent, key, hash, id, seen);
    grow();
    return id;
}

static int
is_gone(const struct node_entry *e, const struct recent_gone *gone)
{
    u64 link = __atomic_load_n(&e->link, __ATOMIC_RELAXED);
    const struct node *node;

    if (link == 0 || link == NODE_LEFT || key_in(e) >> 48 & NODE_NO_PC)
        return 0;
    node = node_at((u32)link);
    return recent_is_gone(gone, key_in(e) & NODE_PC_MASK, !node || !node->instance ||
                             node->instance >= ER_EARLY_FIRST);
}

static void
turn(struct node_entry *e)
{
    __atomic_store_n(&e->check, e->check ^ NODE_ASLEEP, __ATOMIC_RELAXED);
}

void
node_flush_place(u32 place, const struct recent_gone *gone)
{
    struct node_entry *e = &node_table[0][0] + (place - NODE_PLACE);

    if (!is_gone(e, gone))
        return;
    if (key_in(e) & NODE_TRIED)
        leave(e);
    else if (!(key_in(e) & NODE_ASLEEP))
        turn(e);
}

void
node_wake_place(u32 place, u32 instance)
{
    struct node_entry *e = &node_table[0][0] + (place - NODE_PLACE);
    u64 link = __atomic_load_n(&e->link, __ATOMIC_RELAXED);
    const struct node *node = node_at((u32)link);

    if (link == 0 || link == NODE_LEFT || !(key_in(e) & NODE_ASLEEP) || !node ||
        node->instance != instance)
        return;
    turn(e);
    recent_add(place);
}

static void
flush_sets(u32 sets, const struct recent_gone *gone)
{
    for (u32 i = 0; i < sets * NODE_WAYS; i++) {
        struct node_entry *e = &node_table[sets + i / NODE_WAYS][i % NODE_WAYS];

        if (is_gone(e, gone))
            leave(e);
    }
}

void
node_flush(const struct recent_gone *gone)
{
    /* Read the limit in each round, as more sets may come into use. */
    for (u32 sets = NODE_SETS_FIRST; (sets - 1) * (u64)NODE_SET_BYTES <=
                                     __atomic_load_n(&node_mask, __ATOMIC_ACQUIRE);
         sets *= NODE_SETS_STEP)
        flush_sets(sets, gone);
}
