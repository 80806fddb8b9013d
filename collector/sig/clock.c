/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/clock.h"

#include <sys/resource.h>

u32 clock_is_tsc;

/* Linux keeps node << 12 | cpu in IA32_TSC_AUX (arch/x86/include/asm/segment.h). */
u64
clock_ticks(u32 *cpu)
{
    u32 low, high, aux;

    if (ER_UNLIKELY(!clock_is_tsc)) {
        *cpu = 0;
        sys_call4(SYS_getcpu, (long)(uintptr_t)cpu, 0, 0, 0);
        return clock_mono();
    }
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
    *cpu = aux & 0xfff;
    return (u64)high << 32 | low;
}

void
clock_thread_times(u64 *user, u64 *system)
{
    struct rusage use;

    if (sys_call4(SYS_getrusage, RUSAGE_THREAD, (long)(uintptr_t)&use, 0, 0) < 0)
        return;
    *user = ((u64)use.ru_utime.tv_sec * 1000000u + (u64)use.ru_utime.tv_usec) * 1000u;
    *system = ((u64)use.ru_stime.tv_sec * 1000000u + (u64)use.ru_stime.tv_usec) * 1000u;
}
