/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/vdso.h"

#include <string.h>
#include <sys/auxv.h>

#include "collector/preload/dynsym.h"

clock_function *
vdso_clock(void)
{
    u64 base = getauxval(AT_SYSINFO_EHDR), at;
    const ElfW(Ehdr) *head = (const void *)(uintptr_t)base;
    clock_function *function;
    struct dl_phdr_info info;
    struct dynsym table;

    if (!base)
        return NULL;
    memset(&info, 0, sizeof(info));
    info.dlpi_addr = base;
    info.dlpi_phdr = (const void *)(uintptr_t)(base + head->e_phoff);
    info.dlpi_phnum = head->e_phnum;
    if (dynsym_open(&table, &info) < 0)
        return NULL;
    at = dynsym_find(&table, "__vdso_clock_gettime");
    memcpy(&function, &at, sizeof(function));
    return function;
}
