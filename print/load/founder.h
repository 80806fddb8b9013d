/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sub-experiments of a founder share with it: its directory, which has the
 * archives and their index, the labels, and what data files look like. Ordinary process
 * context, one thread.
 */
#ifndef ERTOOLS_PRINT_LOAD_FOUNDER_H
#define ERTOOLS_PRINT_LOAD_FOUNDER_H

#include <stdbool.h>

#include "print/load/archived.h"
#include "print/load/labels.h"
#include "print/load/schema.h"
#include "share/types.h"

struct founder {
    char *path; /* of the directory */
    int kept;   /* the open directory, or -1: those of the first founders are kept */
    u64 device;
    u64 inode;
    u32 users;
    struct archived archived; /* read by experiment_archived() */
    bool have_archived;
    struct labels labels; /* read by experiment_labels() */
    bool have_labels;
    struct schema schema; /* read by founder_schema() */
    char *version;        /* of the collector that wrote it */
    bool have_schema;
    struct founder *next;
};

/* That of the open directory dir, which it closes in the end; NULL: no memory. */
struct founder *founder_take(int dir, const char *path);

/*
 * Its directory, for the caller to close: as it was when it was taken, wherever it is
 * now, or, with a great many founders, if it still is in its place. -errno; -ESTALE:
 * something else is there.
 */
int founder_open(const struct founder *founder);

/*
 * What the data files of descendants look like whose log says that the founder's tells
 * it: of the founder's own log, read once. NULL when it does not, or is of another
 * version of the collector.
 */
const struct schema *founder_schema(struct founder *founder, const char *version);

/* One user less; the last one closes it. May be NULL. */
void founder_drop(struct founder *founder);

#endif
