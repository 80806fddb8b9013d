/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of counters: what the kernel counted, beside the sum of the hits. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_CMD_TOTALS_H
#define ERTOOLS_PRINT_CMD_TOTALS_H

#include "print/export/table.h"
#include "print/model/session.h"

enum {
    TOTALS_MAX = 2 * ER_COUNTERS, /* names of several experiments together */
};

struct totals {
    struct table *t;
    u32 count;
    const char *name[TOTALS_MAX];
    u32 counted[TOTALS_MAX], hits[TOTALS_MAX], share[TOTALS_MAX];
};

/*
 * Add columns for the counters of all experiments; if with_hits, for the sums of hits,
 * too.
 */
void totals_columns(struct totals *totals, struct table *t,
                    const struct session *session, bool with_hits);

/*
 * Fill the cells of the last row. hits: sums of hits by the experiment's number of a
 * counter, or NULL. 0 or -ENOMEM.
 */
int totals_fill(const struct totals *totals, struct experiment *e, const u64 *hits);

#endif
