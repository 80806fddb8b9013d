/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/recent.h"

ER_LARGE u32 recent_ring[RECENT_PLACES];
u64 recent_head;
