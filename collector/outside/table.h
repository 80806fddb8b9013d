/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search table for call frame information that has none, as gcc's static executables
 * do: made in the form of .eh_frame_hdr, which the unwinder knows. Normal context of
 * the helper.
 */
#ifndef ERTOOLS_OUTSIDE_TABLE_H
#define ERTOOLS_OUTSIDE_TABLE_H

#include "share/types.h"

struct table {
    u64 at; /* address of the table, a mapping of its own; 0 = there is none */
    u64 bytes;
};

/*
 * A table for the call frame information at [frames, end), which is mapped, near it and
 * near the code. Returns 0; -ENOENT: nothing in it can be understood; or another
 * -errno. The caller unmaps table->at.
 */
int table_make(u64 frames, u64 end, struct table *table);

#endif
