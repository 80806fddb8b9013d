/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a search table for an .eh_frame without .eh_frame_hdr, as in static executables
 * by gcc. The table has the form of .eh_frame_hdr, which the unwinder reads. Normal
 * context of the helper.
 */
#ifndef ERTOOLS_OUTSIDE_TABLE_H
#define ERTOOLS_OUTSIDE_TABLE_H

#include "share/types.h"

struct process_table {
    u64 at; /* address of the table, a mapping of its own; 0 = there is none */
    u64 bytes;
};

/*
 * Make a table for the mapped call frame information [frames, end), at an address near
 * that and the code. Returns 0; -ENOENT: no entry could be parsed; or another -errno.
 * The caller unmaps table->at.
 */
int table_make(u64 frames, u64 end, struct process_table *table);

#endif
