/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of the model that a report contains: names, the tree, stacks, cells. For the
 * report's own use.
 */
#ifndef ERTOOLS_PRINT_OUT_REPORTDATA_H
#define ERTOOLS_PRINT_OUT_REPORTDATA_H

#include <stdio.h>

#include "print/cmd/shell.h"
#include "print/model/views/aggregate.h"
#include "print/model/views/calltree.h"
#include "print/model/views/cells.h"
#include "print/out/reportlimits.h"

struct report {
    struct shell *sh;
    const struct report_limits *limits;
    FILE *f;
    bool compared;     /* groups are compared, so functions with one name are one */
    u32 *same;         /* by function: the function that represents it; NULL = itself */
    struct stack_tree walk;  /* made with lines */
    struct calltree_fold tree;
    struct cells cells;
    u32 *place_of;     /* by stack node: the first node with the same place */
    u32 *number;       /* by stack node: its number in the report, 0 = not used */
    u32 *heat;         /* by function: its number in the report + 1, 0 = none */
    u32 nfunctions;
    enum metric metric[METRIC_ALL]; /* those that are shown */
    u32 nmetrics;
};

/* Collect the data. 0 or -errno; call reportdata_close() in either case. */
int reportdata_open(struct report *r);
void reportdata_close(struct report *r);

/*
 * Does the page select times by cells.times, which are not divided by thread? False if
 * that is empty, or if groups are compared, which needs the cells by thread.
 */
static inline bool
reportdata_apart(const struct report *r)
{
    return r->cells.times.count && !r->compared;
}

/* Write blocks of the page. */
void reportdata_names(struct report *r);
void reportdata_stacks(struct report *r);
void reportdata_cells(struct report *r);
void reportdata_lanes(struct report *r);
void reportdata_cpus(struct report *r);

/* Write source texts, and the instructions of the functions with most of the metric. */
int reportcode_write(struct report *r);

/* Write the other tables, as json that commands of er_print print. */
void reporttables_write(struct report *r);

#endif
