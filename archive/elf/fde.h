/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where functions begin and end, by call-frame information: each FDE of .eh_frame
 * covers one range. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_ELF_FDE_H
#define ERTOOLS_ARCHIVE_ELF_FDE_H

#include "archive/elf/image.h"

struct fde {
    u64 lo; /* [lo, hi), never empty */
    u64 hi;
    bool inner; /* a stack frame seems to exist at `lo`: a later part of a function */
};

struct fde_list {
    struct fde *at; /* sorted by lo */
    u32 count;
    u32 capacity;
};

/*
 * Reads the FDEs of .eh_frame, up to its terminator or a malformed entry. Without
 * section headers, it is found through the program headers. FDEs with encodings that
 * are not known here are left out. 0 or -ENOMEM. On success, call fde_free() later.
 */
int fde_read(struct fde_list *list, struct image *img);

void fde_free(struct fde_list *list);

/* The FDE that starts at `addr`, or NULL. */
const struct fde *fde_at(const struct fde_list *list, u64 addr);

#endif
