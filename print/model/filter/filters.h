/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter of a session, and the data that were loaded to evaluate it. For the
 * model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERS_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERS_H

#include "print/model/filter/filtercalls.h"
#include "print/model/filter/filterdata.h"
#include "print/model/filter/filterfiles.h"
#include "print/model/filter/filterstack.h"

struct region_lanes;

struct loaded_files {
    struct filter_files files;
    bool loaded;
};

struct loaded_calls {
    struct filter_calls calls;
    bool loaded;
};

struct filter {
    struct filter_expr *part[FILTER_PARTS]; /* NULL = not set */
    struct stack_tests tests;               /* set by filters_prepare() */
    bool prepared;                          /* `tests` is set */
    struct loaded_files *files; /* by experiment */
    u32 nfiles;
    struct loaded_calls *calls; /* by experiment */
    u32 ncalls;
    struct filter_data data;
    struct region_lanes *regions; /* NULL until needed */
};

/*
 * Evaluate the filter's conditions on stacks, unless that has been done. 0 or -ENOMEM.
 */
int filters_prepare(struct session *session);

/* The files of an experiment, loaded when first asked for; NULL: no memory. */
const struct filter_files *filters_files(struct session *session, u32 experiment);

/*
 * The calls of named functions (collect -T) of an experiment, loaded when first asked
 * for; NULL: no memory.
 */
const struct filter_calls *filters_calls(struct session *session, u32 experiment);

/* The regions of all experiments, loaded when first asked for; NULL: no memory. */
const struct region_lanes *filters_regions(struct session *session);

/* Forget all that was loaded or prepared: experiments, filter or view have changed. */
void filters_reset(struct filter *filter);

#endif
