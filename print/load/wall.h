/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wall time of threads (collect -p wall) that no record has: calls in which threads
 * still were at the end, run delay that was not recorded, and time that nothing
 * explains. It is computed from the rows of the file threads, and from the sums of
 * records.
 */
#ifndef ERTOOLS_PRINT_LOAD_WALL_H
#define ERTOOLS_PRINT_LOAD_WALL_H

#include "print/load/experiment.h"

/* The stack node's id in records passed by wall_feed() whose stack is unknown. */
#define WALL_NODE UINT32_MAX

/*
 * Pass these times to the sink, as records of kind off, in batches of one, by worker 0;
 * batch.chunk is NULL. Does nothing if the source has no such records, or if wall time
 * was not asked for. 0 or -ENOMEM.
 */
int wall_feed(struct experiment *experiment, const struct record_source *source,
              const struct record_sink *sink);

/* Whether wall time was asked for. */
bool wall_is_there(const struct experiment *experiment);

#endif
