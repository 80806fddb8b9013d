/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sub-experiments of a founder share with it: its directory, which has the
 * archives, open once, their index, and what data files look like. Ordinary process
 * context, one thread.
 */
#ifndef ERTOOLS_PRINT_LOAD_FOUNDER_H
#define ERTOOLS_PRINT_LOAD_FOUNDER_H

#include <stdbool.h>

#include "print/load/archived.h"
#include "print/load/schema.h"
#include "share/types.h"

struct founder {
    int dir;
    u64 device;
    u64 inode;
    u32 users;
    struct archived archived; /* read by experiment_archived() */
    bool have_archived;
    struct schema schema; /* read by founder_schema() */
    char *version;        /* of the collector that wrote it */
    bool have_schema;
    struct founder *next;
};

/* That of the open directory dir, which it closes in the end; NULL: no memory. */
struct founder *founder_take(int dir);

/*
 * What the data files of descendants look like whose log says that the founder's tells
 * it: of the founder's own log, read once. NULL when it does not, or is of another
 * version of the collector.
 */
const struct schema *founder_schema(struct founder *founder, const char *version);

/* One user less; the last one closes it. May be NULL. */
void founder_drop(struct founder *founder);

#endif
