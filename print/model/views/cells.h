/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums by stack, thread and step of time, so that threads and times can be chosen later
 * without reading events again. A budget limits the number of cells: if there are more,
 * steps become longer. If that leaves only one step, there are two tables instead: sums
 * by stack and thread, and sums by stack and step.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLS_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLS_H

#include "print/model/session.h"
#include "print/model/views/celllanes.h"
#include "print/model/views/cellset.h"

/*
 * Thread first[e] stands for no thread of experiment e; first[e] + 1 + i is
 * threads.row[i].
 */
struct cells {
    struct cellset set;
    /*
     * Sums over all threads, with shorter steps. Empty, unless there are so many pairs
     * of stack and thread that `set` has only one step.
     */
    struct cellset times;
    u64 width; /* ns of the finest step */
    u32 *first; /* by experiment; the element after the last = number of threads */
    struct lanes lanes;
    struct cpulanes cpus;
};

/*
 * Sum up what passes the filter. budget: how many cells there may be; more are made
 * only if all times are in one step already. 0 and *out for cells_free(), or -errno.
 */
int cells_build(struct session *session, u32 budget, struct cells *out);
void cells_free(struct cells *cells);

#endif
