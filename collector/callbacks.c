/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/callbacks.h"

#include "collector/omp/omp_body.h"
#include "collector/region/region.h"
#include "collector/signals/signal.h"
#include "collector/vm/java.h"
#include "collector/vm/java_late.h"

static void
jumped(const struct __jmp_buf_tag *env, u64 from, u64 to)
{
    signal_jumped(env);
    region_jumped(from, to);
}

const struct callbacks callbacks = {
    .started = omp_started,
    .jumped = jumped,
    .symbol = java_instead,
    .attached = java_late_start,
    .redirect = java_late_ask,
    .look = java_late_look,
};
