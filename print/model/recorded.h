/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which metrics the loaded experiments have data for. Ordinary process context, one
 * thread.
 */
#ifndef ERTOOLS_PRINT_MODEL_RECORDED_H
#define ERTOOLS_PRINT_MODEL_RECORDED_H

#include "print/model/metric.h"
#include "print/model/session.h"

/* The files from whose records a metric is computed: a bit 1 << FILE_... for each. */
u32 recorded_files(enum metric metric);

/*
 * NULL if some experiment has recorded data for the metric, or if none is loaded; else
 * the reason: "recorded without -H".
 */
const char *recorded_lack(const struct session *session, enum metric metric);

#endif
