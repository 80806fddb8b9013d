/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out who writes to an experiment. Ordinary process context. */
#ifndef ERTOOLS_MANAGE_WRITER_H
#define ERTOOLS_MANAGE_WRITER_H

#include "manage/place.h"

/*
 * The pid of a process that writes to the experiment or to one of its sub-experiments;
 * 0 = none does.
 */
unsigned writer_find(const struct place *place);

#endif
