/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hit_settings.h"

#include <signal.h>

int hit_signal = SIGURG;
u32 hit_is_used;
struct hit_settings hit_settings;
