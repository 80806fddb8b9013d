/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What records leave open of the wall time of threads (collect -p wall): the calls that
 * threads were in at the end, run delay that no record tells of, and what nothing
 * explains. From rows of the file threads and the sums of records.
 */
#ifndef ERTOOLS_PRINT_LOAD_WALL_H
#define ERTOOLS_PRINT_LOAD_WALL_H

#include "print/load/experiment.h"

/* A stack node of what was spent nobody knows where. */
#define WALL_NODE UINT32_MAX

/*
 * Hand such times to the sink, as records of kind off, in batches of one, by worker 0.
 * Nothing for other files than profile, and for experiments without wall time. 0 or
 * -ENOMEM.
 */
int wall_feed(struct experiment *experiment, const struct record_source *source,
              const struct record_sink *sink);

/* Whether wall time was asked for. */
bool wall_is_there(const struct experiment *experiment);

#endif
