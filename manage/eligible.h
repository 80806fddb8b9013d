/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a place may be copied, moved or removed. Ordinary process context. */
#ifndef ERTOOLS_MANAGE_ELIGIBLE_H
#define ERTOOLS_MANAGE_ELIGIBLE_H

#include "manage/place.h"

/*
 * May this experiment or group be copied, moved or removed? If not, says why. `force`:
 * also if it is still being written.
 */
bool eligible(const struct place *place, bool force);

#endif
