/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the target's address space that walks need, rebuilt in the helper: the
 * files that the target executes, mapped read-only at the same addresses, and the
 * copied top of one stack at a time. Adds objects to the unwinder's table and to
 * map.xml. Normal context of the helper. Only regular files are opened, and their
 * content is not trusted.
 */
#ifndef ERTOOLS_OUTSIDE_MIRROR_H
#define ERTOOLS_OUTSIDE_MIRROR_H

#include "collector/outside/golang.h"
#include "share/types.h"

struct mirror_part;

struct mirror {
    int map;       /* descriptor of map.xml, O_APPEND; -1 = it is not written */
    u32 objects;   /* the last load instance id given out */
    u32 gone;      /* instances up to this id are no longer mapped */
    const char *ours; /* paths of the collector's libraries, each ended by ':' */
    u32 apart;     /* an address of the target is in use by this process itself */
    struct mirror_part *part; /* list of mappings made here */
    struct golang go; /* the places of a Go program's runtime */
    int copy;      /* memfd of the copied stack */
    unsigned char *buffer; /* the memfd, mapped permanently for writing */
    u64 buffer_bytes;
    u64 shown;     /* address at which the memfd is mapped as a stack, 0 = it is not */
    u64 shown_bytes;
};

/* An executable mapping of the target. */
struct mirror_mapping {
    u64 lo, hi, offset;
    u32 major, minor;
    u64 inode;
    u64 mono;         /* CLOCK_MONOTONIC ns when it was made */
    const char *name; /* a path, or what the kernel calls it */
};

/*
 * Prepare. map: descriptor of map.xml, which the caller closes. stack_bytes: the
 * largest stack dump. Returns 0 or -errno.
 */
int mirror_open(struct mirror *m, int map, u64 stack_bytes);

/* Unmap everything, and free its resources. */
void mirror_close(struct mirror *m);

/* Add an executable mapping that the target has made. */
void mirror_add(struct mirror *m, const struct mirror_mapping *mapping);

enum mirror_fd {
    MIRROR_NO_FILE = -1,
    MIRROR_OWN_VDSO = -2, /* the mapping is the same vdso that this process has */
};

/*
 * As mirror_add(), for a recorded process, which may have ended: the caller provides
 * the file. fd: the open file, which the caller closes, or enum mirror_fd; bias: added
 * to its link-time addresses. map.xml is not written.
 */
void mirror_add_file(struct mirror *m, const struct mirror_mapping *mapping, int fd,
                     u64 bias);

/*
 * Call when the target has executed another program, at the time mono: unmaps
 * everything.
 */
void mirror_clear(struct mirror *m, u64 mono);

/*
 * Map a copy of the stack at sp, as in the target, until mirror_hide(). The rest of the
 * pages is filled with words that cannot be return addresses. Returns 0, or -errno:
 * -EBUSY if this process has something else there.
 */
int mirror_show(struct mirror *m, u64 sp, const unsigned char *bytes, u64 count);
void mirror_hide(struct mirror *m);

#endif
