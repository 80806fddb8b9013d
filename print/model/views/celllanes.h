/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes that cells.c fills: what threads and processors did in steps of time. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLLANES_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLLANES_H

#include "print/model/views/cells.h"

/*
 * Make the lanes of all threads, which have the numbers that struct cells describes.
 * Also make those of processors if all processes count time from the same moment.
 */
int celllanes_open(struct session *session, struct cells *cells);

/*
 * The enum lane_state whose time a metric is; -1 = none. wall: the clock records waits,
 * too, so metrics of traced waits give -1, as their time would count twice.
 */
int celllanes_state(u32 metric, bool wall);

#endif
