/* SPDX-License-Identifier: Apache-2.0 */
/* Program headers of loaded objects, which may be damaged. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_PHDR_H
#define ERTOOLS_COLLECTOR_PRELOAD_PHDR_H

#include <link.h>

#include "share/types.h"

/*
 * 1 if segment ph, by its own address and size, lies inside a readable loaded segment,
 * in the part that the file provides.
 */
static inline int
phdr_is_loaded(const ElfW(Phdr) *table, u64 count, const ElfW(Phdr) *ph)
{
    for (u64 i = 0; i < count; i++)
        if (table[i].p_type == PT_LOAD && table[i].p_flags & PF_R &&
            ph->p_vaddr - table[i].p_vaddr <= table[i].p_filesz &&
            ph->p_filesz <= table[i].p_filesz - (ph->p_vaddr - table[i].p_vaddr))
            return 1;
    return 0;
}

/*
 * The readable loaded segment that holds vaddr in the part that the file provides; or
 * NULL.
 */
static inline const ElfW(Phdr) *
phdr_readable(const ElfW(Phdr) *table, u64 count, u64 vaddr)
{
    for (u64 i = 0; i < count; i++)
        if (table[i].p_type == PT_LOAD && table[i].p_flags & PF_R &&
            vaddr - table[i].p_vaddr < table[i].p_filesz)
            return &table[i];
    return NULL;
}

#endif
