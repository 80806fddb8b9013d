/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack nodes: the prefix tree of all stacks seen, appended to the file frameinfo.
 * node_cached(), node_intern(), node_at(), node_spread() and node_attach() run in
 * signal handlers, the first four in those of all threads at once; the rest is for
 * normal context. A handler never extends the file: without room a node is 0, and is
 * counted; node_segment_wanted lets the launcher, or normal context, provide more.
 *
 * The file is an array of 16-byte nodes, in segments of ER_SEGMENT bytes. Node 0 is the
 * file's header. A node that is all zero has not been written.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_NODE_H
#define ERTOOLS_COLLECTOR_SIG_NODE_H

#include "collector/sig/recent.h"
#include "share/record.h"
#include "share/types.h"

enum {
    NODE_SEGMENT_NODES = 65536, /* nodes of 16 bytes in a segment of 1 MiB */
    NODE_SEGMENTS = 4096,       /* maximum: 4 GiB of nodes */
    NODE_BATCH = 32,            /* ids that a thread reserves at a time */
};

/* A node, as in the file: little-endian. */
struct node {
    u32 parent;   /* 0 = none: the stack's root */
    u32 instance; /* load instance, or a number of early.h; 0 = unknown */
    u64 pc_flags; /* pc in the low 48 bits, enum er_node_flag above */
};

_Static_assert(sizeof(struct node) == ER_NODE_BYTES, "a node is a row of frameinfo");

#define NODE_MAGIC "ERNODES1"
#define NODE_PC_MASK 0xffffffffffffull

/* The word pc_flags of a node. */
static inline u64
node_key(u64 pc, u32 flags)
{
    return (pc & NODE_PC_MASK) | (u64)flags << 48;
}

/* A thread's ids not yet used: next in the low half, end in the high half. */
struct node_batch {
    u64 ids;
    u32 generation; /* the node_file that they belong to */
};

/*
 * Start (again) with an empty store. *next counts the file's bytes given out, and is
 * shared with other processes (struct ctl_file); the store keeps the pointer. Drops all
 * segments, cached nodes and threads' batches; no walk may be running.
 */
void node_start(u64 *next);

/*
 * From now on the file has *reserved bytes, which may be fewer than are attached. The
 * store keeps the pointer. Normal context.
 */
void node_limit(const u64 *reserved);

/* Stop using the file, before it is unmapped, and forget all nodes. */
void node_stop(void);

/*
 * Add segment `index` of the file, the next one, which is mapped at base, read and
 * write, for good. 0, or -EINVAL: it is not the next one, or there are too many.
 */
int node_attach(u32 index, void *base);

/* The node, or NULL: its segment is not attached. Any context. */
const struct node *node_at(u32 id);

/* Set when little room is left (ctl_is_scarce()): attach another segment. */
extern u32 node_segment_wanted;

/*
 * The number of the file in use: counts calls of node_start() and node_stop(), with
 * those of the processes from which this one was forked.
 */
extern u32 node_file;

/* Nodes that could not be made for lack of space, since node_start(). */
extern u64 node_dropped;

/* Nodes written by this process since node_start(). */
extern u64 node_written;

/*
 * Nodes are looked up by a hash of the path from the root. A child's hash needs only
 * its parent's hash and its key, so the loads for successive frames do not wait for
 * each other. NODE_ROOT_HASH is the root's.
 */
#define NODE_ROOT_HASH 0x2545f491u
#define NODE_HASH_MIX 0xd6e8feb86659fd93ull

static inline u32
node_hash(u32 parent_hash, u64 key)
{
    return (u32)((parent_hash ^ key) * NODE_HASH_MIX >> 32);
}

/*
 * The cache. A key may be in any of a group of sets; it is put into the first one with
 * room, since the children of an evicted node are not found any more either. A short
 * process has few nodes, and each page of the table that it touches costs more than a
 * node. So only a few sets are used at first; when they may be half full, a larger
 * region of sets follows. Entries of the former region are copied when they are looked
 * up. A region of n sets begins at index n.
 */
enum {
    NODE_SETS = 32768,
    NODE_SETS_FIRST = 32,
    NODE_SETS_STEP = 4,
    NODE_GROUP = 8,
    NODE_WAYS = 4,
    NODE_PLACE = 1 << 24, /* recent.h: this cache's places have numbers from here on */
};

struct node_entry {
    u64 check; /* key ^ link * NODE_LINK_MIX */
    u64 link;  /* parent << 32 | id; 0 = never used; or NODE_LEFT */
};

/* In a link: the entry was in use, and is free now. */
#define NODE_LEFT (~(u64)0)

/*
 * Bit of a cached key: the object is unloaded now, so lookups do not find the entry.
 * Not a flag of nodes.
 */
#define NODE_ASLEEP ((u64)1 << 63)

/*
 * Bit of a cached key: lookups do not find the entry until it is known that the objects
 * did not change while the node was made.
 */
#define NODE_TRIED ((u64)1 << 62)

#define NODE_LINK_MIX 0x9e3779b97f4a7c15ull

extern struct node_entry node_table[2 * NODE_SETS][NODE_WAYS];

/* Mask for the byte offset of a set within the region in use. */
extern u64 node_mask;

static inline u64
node_mask_now(void)
{
    return __atomic_load_n(&node_mask, __ATOMIC_RELAXED);
}

enum { NODE_SET_BYTES = 64 };

_Static_assert(sizeof(struct node_entry) * NODE_WAYS == NODE_SET_BYTES, "a line");

static inline struct node_entry *
node_set(u32 hash, u64 mask)
{
    u64 at = (u64)hash * NODE_SET_BYTES & mask;

    return (struct node_entry *)((char *)(node_table + 1) + mask + at);
}

/*
 * The child of parent with this key if it is cached in the key's first set, else 0.
 * mask: node_mask, passed so that a loop need not load it each time.
 */
static inline u32
node_cached(u32 parent, u64 key, u32 hash, u64 mask)
{
    const struct node_entry *e = node_set(hash, mask);

    for (int i = 0; i < NODE_WAYS; i++) {
        u64 link = __atomic_load_n(&e[i].link, __ATOMIC_ACQUIRE);
        u64 check = __atomic_load_n(&e[i].check, __ATOMIC_RELAXED);

        if (ER_LIKELY((check ^ link * NODE_LINK_MIX) == key && link >> 32 == parent))
            return (u32)link;
    }
    return 0;
}

/*
 * The child of parent with this key, from the whole cache, or else a new node. 0 when
 * there is no room. Looks up the instance of a new node's pc.
 */
u32 node_intern(struct node_batch *batch, u32 parent, u64 key, u32 hash);

/*
 * Use more sets, if there are any left: with much room, the first entry that is tried
 * is nearly always the right one, which makes a walk a tenth faster. For threads with
 * very many walks.
 */
void node_spread(void);

/*
 * Make lookups miss the cached nodes that are gone: node_flush() in the whole cache,
 * for good; node_flush_place() in one place, which node_wake_place() undoes when the
 * instance comes back.
 */
void node_flush(const struct recent_gone *gone);
void node_flush_place(u32 place, const struct recent_gone *gone);
void node_wake_place(u32 place, u32 instance);

#endif
