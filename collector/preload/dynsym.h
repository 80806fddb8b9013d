/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols that a loaded object exports, by its own tables. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_DYNSYM_H
#define ERTOOLS_COLLECTOR_PRELOAD_DYNSYM_H

#include <link.h>

#include "share/types.h"

/* An object's tables, set by dynsym_open() if it returns 0. */
struct dynsym {
    u64 bias;
    const ElfW(Sym) *symbols;
    const char *strings;
    const u32 *hash; /* DT_GNU_HASH */
};

/*
 * Find an object's tables. 0; -ENOENT: it has none that can be used. The object must
 * stay loaded.
 */
int dynsym_open(struct dynsym *out, const struct dl_phdr_info *info);

/* The address of a symbol that the object defines, 0 = none. */
u64 dynsym_find(const struct dynsym *table, const char *name);

#endif
