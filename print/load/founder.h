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
#include "print/load/schema.h"
#include "share/types.h"

struct log;

struct founder {
    char *path; /* the path of its directory */
    /* descriptor of its directory; -1 = too many founders had theirs open */
    int kept;
    u64 device;
    u64 inode;
    u32 users;
    struct archived archived; /* read by experiment_archived() */
    bool have_archived;
    struct labels labels; /* read by experiment_labels() */
    bool have_labels;
    struct schema schema; /* read by founder_schema() */
    char *version;        /* of the collector that wrote it */
    u64 start_mono; /* when its run began, ns of CLOCK_MONOTONIC; 0 = not known */
    u64 start_wall; /* the same moment in ns since 1970 */
    /* names of the host and of its boot, for which start_mono holds; or NULL */
    char *host;
    bool have_log;  /* the members from `schema` to `host` were read from its log */
    struct founder *next;
};

/*
 * Get the founder whose directory is open as `dir`: it is made, or is that of another
 * experiment with one more reference. It owns `dir` from now on, or has closed it.
 * NULL: no memory; `dir` is closed, too. founder_drop() gives it back.
 */
struct founder *founder_take(int dir, const char *path);

/*
 * A descriptor of its directory, for the caller to close. It finds the directory even
 * if it was moved, unless there are very many founders: then it is opened by its path.
 * -errno; -ESTALE: the path leads to another directory.
 */
int founder_open(const struct founder *founder);

/*
 * The schema in the founder's log, for descendants whose own log refers to it; read
 * once. NULL if that log has none, or another version of the collector wrote it.
 */
const struct schema *founder_schema(struct founder *founder, const char *version);

/*
 * When the founder's run began, as ns of CLOCK_MONOTONIC of a descendant's host. log:
 * the descendant's. If that is not known, the start of the descendant itself.
 */
u64 founder_origin(struct founder *founder, const struct log *log);

/*
 * Drop a reference; when the last one is dropped, the founder is closed. May be NULL.
 */
void founder_drop(struct founder *founder);

#endif
