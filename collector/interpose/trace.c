/* SPDX-License-Identifier: Apache-2.0 */
/* Of each tracing library; see collector/interpose/trace.h. */
#include "collector/interpose/trace.h"

const struct services *trace_services;

/* Weak: without libcollector.so nothing is recorded, and nothing is missed. */
const struct services *ertools_services(u32 version, const void *module,
                                        void (*started)(void)) __attribute__((weak));

void
trace_start(const void *module, void (*started)(void))
{
    if (!ertools_services)
        return;
    __atomic_store_n(&trace_services,
                     ertools_services(SERVICES_VERSION, module, started),
                     __ATOMIC_RELEASE);
    if (trace_is_on())
        started();
}
