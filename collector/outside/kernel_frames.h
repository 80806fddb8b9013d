/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames in the kernel: makes their stack nodes, and writes to map.xml the objects and
 * functions that contain them. The names come from /proc/kallsyms. The kernel takes
 * long to produce it, and the samples must be read in the meantime: so the first such
 * frame starts a thread that reads it. Normal context of the helper.
 *
 * Addresses are those of stack nodes: the low 48 bits.
 */
#ifndef ERTOOLS_OUTSIDE_KERNEL_FRAMES_H
#define ERTOOLS_OUTSIDE_KERNEL_FRAMES_H

#include <pthread.h>

#include "collector/sig/node.h"
#include "share/types.h"

enum {
    KERNEL_FIRST_ID = 0x30000000, /* the kernel's load instances have ids from here */
};

struct kernel_symbol;

/* All zero at the start, except for the two descriptors. */
struct kernel_frames {
    int map; /* descriptor of map.xml, opened with O_APPEND */
    int log; /* descriptor of log.xml, opened with O_APPEND */
    int is_started; /* the symbols are read, or the thread reads them */
    int is_reading; /* the thread is not joined yet; text to hi belong to it */
    int is_read;    /* set by the thread, atomically, when it is done */
    pthread_t reader;
    char *text;                   /* of /proc/kallsyms */
    struct kernel_symbol *symbol; /* symbols of code, sorted by address */
    u32 count;                    /* 0 = the kernel hides its addresses */
    unsigned char *told;          /* for each symbol: what map.xml has, as TOLD_ bits */
    u64 lo, hi;                   /* from the kernel's first code to its last */
    u32 objects;                  /* number of objects written to map.xml */
    u64 *early;                   /* addresses of frames before the thread was joined */
    u32 early_count, early_room;
    struct node_batch batch;
};

/*
 * The node of a stack that consists of these kernel frames (u64 each, not aligned, from
 * the leaf on), which the user stack `node` has called (0 = no user stack). Returns 0
 * if there is no room.
 */
u32 kernel_frames_add(struct kernel_frames *k, u32 node, const unsigned char *frames,
                      u64 count);

/* Wait for the thread, if there is one; write the functions of all frames so far. */
void kernel_frames_close(struct kernel_frames *k);

/* Read /proc/kallsyms now, so that processes forked later need not. */
void kernel_frames_preload(void);

/* The function that contains a kernel address; NULL = unknown. */
const char *kernel_frames_name(struct kernel_frames *k, u64 address);

#endif
