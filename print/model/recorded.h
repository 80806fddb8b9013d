/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which metrics the loaded experiments have data for. Ordinary process context, one
 * thread.
 */
#ifndef ERTOOLS_PRINT_MODEL_RECORDED_H
#define ERTOOLS_PRINT_MODEL_RECORDED_H

#include "print/model/metric.h"
#include "print/model/session.h"

/*
 * The files from whose records a metric is computed: a bit 1 << FILE_... for each. A
 * metric without sources in metrics.def is one of the heap. Not for ratios.
 */
u32 recorded_files(enum metric metric);

/*
 * Why no loaded experiment has data for the metric: "recorded without -H"; if reasons
 * differ, that of the last experiment. NULL if one has data, or was asked to record it;
 * if none is loaded; and for counters and ratios.
 */
const char *recorded_lack(const struct session *session, enum metric metric);

#endif
