/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where functions begin and end, by call-frame information: each FDE of .eh_frame
 * covers one range. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_FDE_H
#define ERTOOLS_ARCHIVE_FDE_H

#include "archive/image.h"

struct fde {
    u64 lo; /* [lo, hi), never empty */
    u64 hi;
    bool inner; /* the stack frame exists already at `lo`: a part of a function */
};

struct fde_list {
    struct fde *at; /* sorted by lo */
    u32 count;
    u32 capacity;
};

/*
 * Reads all FDEs of .eh_frame, which is found by its section or through the program
 * headers. FDEs that cannot be understood are left out. 0 or -ENOMEM. On success, call
 * fde_free() later.
 */
int fde_read(struct fde_list *list, struct image *img);

void fde_free(struct fde_list *list);

/* The FDE that starts at `addr`, or NULL. */
const struct fde *fde_at(const struct fde_list *list, u64 addr);

#endif
