/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The statistical error of sums of samples. The variance of a sum of independent hits
 * is the sum of their squared weights; our hits are spread more evenly, so this is an
 * upper bound.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_NOISE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_NOISE_H

#include <stdbool.h>

#include "print/model/metric.h"
#include "print/model/session.h"

/* The mean weight of hits, ns, in which each hit counts by its weight. */
struct noise {
    double user;
    double system;
};

/* Is the metric a sum of clock hits? Others are exact. */
bool noise_concerns(enum metric metric);

/* Of what passes the filter. 0 or -errno. */
int noise_measure(struct session *session, struct noise *out);

/* The variance of a sum, in ns squared; 0 for what is exact. */
double noise_variance(const struct noise *noise, const struct values *values,
                      enum metric metric);

#endif
