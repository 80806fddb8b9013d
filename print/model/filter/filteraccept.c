/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates and frees bound filters. */
#include <stdlib.h>

#include "print/model/filter/filterbind.h"
#include "print/model/filter/filtermath.h"

void
filterbind_free(struct bound_filter *bound)
{
    if (!bound)
        return;
    free(bound->node);
    for (u32 i = 0; i < bound->sets; i++)
        free(bound->set[i]);
    free(bound->set);
    for (u32 i = 0; i < bound->data_sets; i++)
        filterdata_set_free(&bound->data_set[i]);
    free(bound->data_set);
    for (u32 i = 0; i < bound->region_sets; i++)
        free(bound->region_set[i]);
    free(bound->region_set);
    for (u32 i = 0; i < bound->call_sets; i++)
        filtercalls_set_free(&bound->call_set[i]);
    free(bound->call_set);
    free(bound->sample);
    free(bound);
}

bool
filterbind_accepts(const struct bound_filter *bound, const struct filter_event *event)
{
    struct filter_value value;

    if (!bound)
        return true;
    value = filtermath_value(bound, bound->root, event);
    return value.known && value.v;
}
