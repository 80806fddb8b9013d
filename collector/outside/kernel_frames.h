/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of the kernel: their stack nodes, and in map.xml the objects and functions
 * that they are in, by /proc/kallsyms, which is read when the first such frame comes.
 * Normal context of the helper.
 *
 * Addresses are those of stack nodes: the low 48 bits.
 */
#ifndef ERTOOLS_OUTSIDE_KERNEL_FRAMES_H
#define ERTOOLS_OUTSIDE_KERNEL_FRAMES_H

#include "collector/sig/node.h"
#include "share/types.h"

enum {
    KERNEL_FIRST_ID = 0x30000000, /* of load instances: ids up to here are others' */
};

struct kernel_symbol;

/* All zero but for the two descriptors = nothing is known yet. */
struct kernel_frames {
    int map; /* map.xml, O_APPEND */
    int log; /* log.xml, the same */
    int is_read;
    char *text;                   /* of /proc/kallsyms */
    struct kernel_symbol *symbol; /* of code, by address */
    u32 count;                    /* 0 = the kernel hides its addresses */
    unsigned char *told;          /* of each symbol, what is in map.xml */
    u64 lo, hi;                   /* from the kernel's first code to its last */
    u32 objects;                  /* written to map.xml */
    struct node_batch batch;
};

/*
 * The node of a stack whose user part is `node` (0 = it has none), and above that these
 * frames, from the leaf on: u64 each, not aligned. 0 = there is no room.
 */
u32 kernel_frames_add(struct kernel_frames *k, u32 node, const unsigned char *frames,
                      u64 count);

/*
 * Read /proc/kallsyms now, for all that this process makes by fork: it is long, and its
 * lines are dear.
 */
void kernel_frames_preload(void);

/* The function that holds an address of the kernel's; NULL = that is not known. */
const char *kernel_frames_name(struct kernel_frames *k, u64 address);

#endif
