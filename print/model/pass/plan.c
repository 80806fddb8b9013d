/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/pass/plan.h"

#include <string.h>

#include "print/load/clock.h"

/* The metric of a source; -1 for a counter that the experiment does not have. */
static int
metric_of(const struct metric_source *source, const struct counters *counters)
{
    if (!metric_is_counter(source->metric))
        return (int)source->metric;
    return source->equals < counters->count ? counters->row[source->equals].metric : -1;
}

/*
 * If a record has a time and a stack, and the value of a term is in ticks or ns, treat
 * the value as the duration of the event, which ended at the record's time.
 */
static void
find_duration(struct plan *plan, const struct schema_record *record,
              struct plan_term *term)
{
    /*
     * Not a value that the writer updates in place (ENC_U64): it sums up many events.
     */
    if (plan->time < 0 || plan->node < 0 || term->value < 0 ||
        record->field[term->value].encoding == ENC_U64)
        return;
    if (term->ticks)
        plan->took = term->value;
    else if (!strcmp(record->field[term->value].unit, "ns"))
        plan->weight = term->value;
    else
        return;
    term->lasts = true;
}

void
plan_make(struct plan *plan, const struct schema_record *record,
          const struct counters *counters)
{
    memset(plan, 0, sizeof(*plan));
    plan->time = schema_find_number(record, "time");
    plan->node = schema_find_number(record, "node");
    plan->kind = schema_find_number(record, "kind");
    plan->took = plan->weight = -1;
    plan->hit = !strcmp(record->name, "clock");
    for (u32 i = 0; i < metric_source_count && plan->nterms < PLAN_TERMS_MAX; i++) {
        const struct metric_source *source = &metric_sources[i];
        struct plan_term term = { .equals = source->equals };
        int metric = metric_of(source, counters);

        if (metric < 0 || strcmp(source->record, record->name))
            continue;
        term.metric = (u32)metric;
        term.value = schema_find_number(record, source->value);
        term.select = schema_find_number(record, source->select);
        term.if_not_0 = *source->unless == '!';
        term.unless = schema_find_number(record, source->unless + term.if_not_0);
        term.ticks =
            term.value >= 0 && !strcmp(record->field[term.value].unit, "tick");
        if ((term.value < 0 && *source->value) || (term.select < 0 && *source->select))
            continue;
        find_duration(plan, record, &term);
        plan->term[plan->nterms++] = term;
    }
}

u64
plan_lasted(const struct plan *plan, const u64 *row, double rate)
{
    double ticks;

    if (plan->took >= 0)
        return row[plan->took];
    if (plan->weight < 0 || rate <= 0)
        return 0;
    ticks = (double)row[plan->weight] / rate;
    return ticks < 1e18 ? (u64)(ticks + 0.5) : 0;
}

/* The factor for the metric of a counter that was multiplexed; 0 = it needs none. */
static double
counter_factor(const struct counters *counters, u32 metric)
{
    for (u32 i = 0; i < counters->count; i++)
        if (counters->row[i].metric == (int)metric)
            return counters_share(&counters->row[i]) < 1
                       ? 1 / counters_share(&counters->row[i])
                       : 0;
    return 0;
}

bool
plan_factors(const struct plan plan[SCHEMA_KINDS], const struct counters *counters,
             double rate, double *factor)
{
    bool any = false;

    memset(factor, 0, METRIC_COUNT * sizeof(*factor));
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        for (u32 k = 0; k < plan[i].nterms; k++) {
            u32 metric = plan[i].term[k].metric;

            if (plan[i].term[k].ticks)
                factor[metric] = rate;
            else if (metric_is_counter((enum metric)metric))
                factor[metric] = counter_factor(counters, metric);
            any |= factor[metric] > 0;
        }
    return any;
}

void
plan_scale(struct values *values, u32 count, const double *factor)
{
    for (u32 i = 0; values && i < count; i++)
        for (u32 m = 0; m < METRIC_COUNT; m++)
            if (factor[m] > 0 && values[i].v[m])
                values[i].v[m] =
                    (int64_t)clock_scaled((u64)values[i].v[m], factor[m]);
}
