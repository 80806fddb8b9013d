/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics by region: hits of clocks and counters, waits, allocations, I/O and MPI calls
 * are assigned to regions by thread and time. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_REGIONJOIN_H
#define ERTOOLS_PRINT_MODEL_VIEWS_REGIONJOIN_H

#include "print/model/metric.h"
#include "print/model/lookup/regions.h"

struct region_join {
    struct values *self; /* by region, without inner regions; [0]: in no region */
    struct values *all;  /* by region, with inner regions; [0]: in any region */
    u32 count;
};

/* regions: from regionbuild(). 0 and *out for regionjoin_free(), or -errno. */
int regionjoin_make(struct session *session, const struct regions *regions,
                    struct region_join *out);
void regionjoin_free(struct region_join *join);

#endif
