/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of counters: what the kernel counted, next to the sum of the hits. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_CMD_TOTALS_H
#define ERTOOLS_PRINT_CMD_TOTALS_H

#include "print/export/table.h"
#include "print/model/session.h"

enum {
    TOTALS_MAX = 2 * ER_COUNTERS, /* counters of all experiments; others are left out */
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
 * Fill the cells of the last row for an experiment. hits: sums of hits, by index in its
 * counters.row; or NULL. 0 or -errno.
 */
int totals_fill(const struct totals *totals, struct experiment *e, const u64 *hits);

#endif
