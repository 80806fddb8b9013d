/* SPDX-License-Identifier: Apache-2.0 */
/* The feed: the pipe through which a part's writer gets the kernel's records. */
#ifndef ERTOOLS_SYSTEM_FEED_H
#define ERTOOLS_SYSTEM_FEED_H

#include "share/types.h"

/* What precedes the bytes of each record in the feed. */
struct part_record {
    u64 mono; /* the record's time; PART_END: the feed ends here, without a record */
    u64 weight; /* of a sample: ns of processor time that it stands for; else 0 */
};
#define PART_END (~0ull)

#endif
