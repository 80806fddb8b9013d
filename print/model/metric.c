/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/metric.h"

#include "share/record.h"

const struct metric_desc metrics[METRIC_COUNT] = {
#define NS METRIC_NS
#define COUNT METRIC_COUNTS
#define BYTE METRIC_BYTES
#define METRIC(metric, title, unit, flavours, doc) \
    { #metric, title, flavours, doc, unit },
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
};

const struct metric_source metric_sources[] = {
#define METRIC(metric, title, unit, flavours, doc)
#define METRIC_SOURCE(metric, record, value, select, equals, unless) \
    { METRIC_##metric, #record, #value, select, equals, unless },
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
};

const u32 metric_source_count = ER_COUNT(metric_sources);
