/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's address space, as far as walks need it, in the helper: the files that it
 * executes, mapped read-only at the addresses that they have there, and the copied top
 * of one stack at a time. Tells the unwinder's table of objects, and map.xml. Normal
 * context of the helper. Files are opened if they are plain, and read as hostile.
 */
#ifndef ERTOOLS_OUTSIDE_MIRROR_H
#define ERTOOLS_OUTSIDE_MIRROR_H

#include "collector/outside/golang.h"
#include "share/types.h"

struct mirror_part;

struct mirror {
    int map;       /* map.xml, O_APPEND; -1 = it is not written */
    u32 objects;   /* load instance ids given out */
    u32 gone;      /* these first ones are mapped no more */
    const char *ours; /* paths of the collector's libraries, each ended by ':' */
    u32 apart;     /* something of the target is where this process has its own */
    struct mirror_part *part; /* what is mapped */
    struct golang go; /* what is known of it if it is a Go program */
    int copy;      /* memfd of the copied stack */
    unsigned char *buffer; /* the same, mapped for good */
    u64 buffer_bytes;
    u64 shown;     /* the address at which the stack is mapped, 0 = it is not */
    u64 shown_bytes;
};

/* An executable mapping of the target. */
struct mirror_mapping {
    u64 lo, hi, offset;
    u32 major, minor;
    u64 inode;
    u64 mono;         /* CLOCK_MONOTONIC ns since when it is there */
    const char *name; /* a path, or what the kernel calls it */
};

/* map: stays the caller's. stack_bytes: the largest dump. Returns 0 or -errno. */
int mirror_open(struct mirror *m, int map, u64 stack_bytes);

/* Clear it, and free what it has. */
void mirror_close(struct mirror *m);

/* The target has mapped something executable. */
void mirror_add(struct mirror *m, const struct mirror_mapping *mapping);

enum mirror_fd {
    MIRROR_NO_FILE = -1,
    MIRROR_OWN_VDSO = -2, /* it is the one that this process has */
};

/*
 * The same where the caller knows the file: it is open as fd, which stays the caller's,
 * or enum mirror_fd; bias: added to its addresses. map.xml is not written. For
 * processes of which there is a record, and that need not be there any more.
 */
void mirror_add_file(struct mirror *m, const struct mirror_mapping *mapping, int fd,
                     u64 bias);

/* The target has become another program at that time: nothing is mapped any more. */
void mirror_clear(struct mirror *m, u64 mono);

/*
 * Have bytes of the stack from sp on where the target has them, up to mirror_hide().
 * What is beside them in the same pages can be no return address. Returns 0, or
 * -EBUSY: this process has something else there.
 */
int mirror_show(struct mirror *m, u64 sp, const unsigned char *bytes, u64 count);
void mirror_hide(struct mirror *m);

#endif
