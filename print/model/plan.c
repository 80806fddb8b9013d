/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/plan.h"

#include <string.h>

void
plan_make(struct plan *plan, const struct schema_record *record)
{
    memset(plan, 0, sizeof(*plan));
    plan->time = schema_find_number(record, "time");
    plan->node = schema_find_number(record, "node");
    plan->kind = schema_find_number(record, "kind");
    for (u32 i = 0; i < metric_source_count && plan->nterms < PLAN_TERMS_MAX; i++) {
        const struct metric_source *source = &metric_sources[i];
        struct plan_term term = { .metric = source->metric, .equals = source->equals };

        if (strcmp(source->record, record->name))
            continue;
        term.value = schema_find_number(record, source->value);
        term.select = schema_find_number(record, source->select);
        term.unless = schema_find_number(record, source->unless);
        term.ticks =
            term.value >= 0 && !strcmp(record->field[term.value].unit, "tick");
        if ((term.value >= 0 || !*source->value) &&
            (term.select >= 0 || !*source->select))
            plan->term[plan->nterms++] = term;
    }
}
