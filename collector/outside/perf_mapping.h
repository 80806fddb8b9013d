/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of one kind of record in the kernel's rings, for several readers. */
#ifndef ERTOOLS_OUTSIDE_PERF_MAPPING_H
#define ERTOOLS_OUTSIDE_PERF_MAPPING_H

#include <linux/perf_event.h>

#include "share/types.h"

/* PERF_RECORD_MMAP2, perf_event_open(2), up to the file's name. */
struct perf_mapping {
    struct perf_event_header header;
    u32 pid, tid;
    u64 addr, len, offset;
    u32 major, minor;
    u64 inode, generation;
    u32 prot, flags;
};

#endif
