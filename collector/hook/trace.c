/* SPDX-License-Identifier: Apache-2.0 */
/* Linked into each tracing library; see collector/hook/trace.h. */
#include "collector/hook/trace.h"

const struct services *trace_services;

/*
 * Weak, so that the library also loads without libcollector.so; then it does nothing.
 */
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
    if (started && trace_is_on())
        started();
}

void
trace_extent(const struct dl_phdr_info *info, u64 *lo, u64 *hi)
{
    *lo = ~0ull;
    *hi = 0;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD)
            continue;
        if (info->dlpi_addr + p->p_vaddr < *lo)
            *lo = info->dlpi_addr + p->p_vaddr;
        if (info->dlpi_addr + p->p_vaddr + p->p_memsz > *hi)
            *hi = info->dlpi_addr + p->p_vaddr + p->p_memsz;
    }
}
