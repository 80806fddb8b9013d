/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The statistical error of sums of samples. If hits were independent, the variance of a
 * sum would be the sum of their squared weights. Real hits come at more regular
 * intervals, so this is an upper bound.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_NOISE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_NOISE_H

#include <stdbool.h>

#include "print/model/metric.h"
#include "print/model/session.h"

/*
 * For hits in user mode, and for hits in the kernel: the sum of their squared weights
 * divided by the sum of their weights, in ns; 0 = no hits. A sum of hits (ns) times
 * this value is the variance of the sum.
 */
struct noise {
    double user;
    double system;
};

/* Is the metric a sum of clock hits, and so inexact? Other metrics are exact. */
bool noise_concerns(enum metric metric);

/* Measure the weights of the hits that pass the filter. 0 or -errno. */
int noise_measure(struct session *session, struct noise *out);

/* The variance of a sum, in ns squared; 0 if the metric is exact. */
double noise_variance(const struct noise *noise, const struct values *values,
                      enum metric metric);

#endif
