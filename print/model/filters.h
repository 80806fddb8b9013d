/* SPDX-License-Identifier: Apache-2.0 */
/* A session's filter. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_FILTERS_H
#define ERTOOLS_PRINT_MODEL_FILTERS_H

#include "print/model/filterstack.h"

struct filter {
    struct filter_expr *part[FILTER_PARTS]; /* NULL = not set */
    struct stack_tests tests;               /* once prepared */
    bool prepared;
};

/* Work out what the filter asks of stacks, unless that was done. 0 or -ENOMEM. */
int filters_prepare(struct session *session);

/* Forget that: experiments have changed. */
void filters_reset(struct filter *filter);

#endif
