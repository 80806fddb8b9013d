/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that a founder and its sub-experiments share: its directory, with the archives
 * and their index, the labels, and the schema of data files. Ordinary process context,
 * one thread.
 */
#ifndef ERTOOLS_PRINT_LOAD_FOUNDER_H
#define ERTOOLS_PRINT_LOAD_FOUNDER_H

#include <stdbool.h>

#include "print/load/archived.h"
#include "print/load/labels.h"
#include "print/load/record/schema.h"
#include "share/types.h"

struct log;

struct founder {
    char *path; /* the path of its directory */
    /*
     * descriptor of its directory; -1 = not kept, as too many founders had theirs open
     */
    int kept;
    u64 device;
    u64 inode;
    u32 users; /* references */
    struct archived archived; /* read by experiment_archived() */
    bool have_archived;
    struct labels labels; /* read by experiment_labels() */
    bool have_labels;
    struct schema schema; /* read by founder_schema() */
    char *version;        /* of the collector that wrote it; NULL = not known */
    u64 start_mono; /* when its run began, ns of CLOCK_MONOTONIC; 0 = not known */
    u64 start_wall; /* the same moment in ns since 1970 */
    /* host and boot whose CLOCK_MONOTONIC start_mono is of; NULL = not known */
    char *host;
    bool have_log;  /* the members from `schema` to `host` are set, if it has a log */
    struct founder *next;
};

/*
 * Get a reference, for founder_drop(), to the founder whose directory is open as `dir`;
 * the founder is made if it is new. `dir` is kept by the founder, or closed. NULL: no
 * memory; `dir` is closed.
 */
struct founder *founder_acquire(int dir, const char *path);

/*
 * A descriptor of the founder's directory, for the caller to close. That works even if
 * the directory was moved, unless its descriptor is not kept: then it is opened by its
 * path. -ESTALE: the path leads to another directory; or another -errno.
 */
int founder_open(const struct founder *founder);

/*
 * The schema in the founder's log, for descendants whose own log refers to it. version:
 * of the collector that wrote the descendant. NULL if the founder's log has no schema,
 * or another version of the collector wrote it.
 */
const struct schema *founder_schema(struct founder *founder, const char *version);

/*
 * When the founder's run began, as ns of CLOCK_MONOTONIC of a descendant's host; if
 * that is not known, the start of the descendant itself. log: the descendant's.
 */
u64 founder_origin(struct founder *founder, const struct log *log);

/*
 * Drop a reference; when the last one is dropped, the founder is closed. May be NULL.
 */
void founder_drop(struct founder *founder);

#endif
