/* SPDX-License-Identifier: Apache-2.0 */
/* The limit of -L on an experiment's size. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_LIMIT_H
#define ERTOOLS_LAUNCH_LIMIT_H

#include "collector/session/session.h"

/*
 * End recording with CTL_LIMIT and an event if the data files of the target and of its
 * descendants have reached the limit.
 */
void limit_check(struct recording *s);

#endif
