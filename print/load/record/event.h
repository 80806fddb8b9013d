/* SPDX-License-Identifier: Apache-2.0 */
/* What merge.h puts into the order of time. */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_EVENT_H
#define ERTOOLS_PRINT_LOAD_RECORD_EVENT_H

#include "share/types.h"

/* An event made of a record. The caller may use all members but `order` as it likes. */
struct event {
    u64 order; /* record time * 2, plus 1 if it comes after others of the same time */
    u64 addr;
    u64 size;
    u32 node;
    u32 tag;
};

#endif
