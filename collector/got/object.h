/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A load object of this process, as its dynamic section describes it: symbols, their
 * versions, relocations. Normal context, while the object cannot be unloaded: within
 * dl_iterate_phdr().
 */
#ifndef ERTOOLS_COLLECTOR_GOT_OBJECT_H
#define ERTOOLS_COLLECTOR_GOT_OBJECT_H

#include <elf.h>
#include <link.h>

#include "share/types.h"

struct got_object {
    u64 bias;
    u64 lo, hi;             /* [lo, hi): all its segments */
    u64 text_lo, text_hi;   /* those that are executable */
    u64 relro_lo, relro_hi; /* whole pages that are read-only after relocation */
    const Elf64_Sym *symbols;
    u64 count; /* symbols; some after the last defined one may be left out */
    const char *strings;
    const Elf64_Half *versions; /* a version for each symbol, or NULL */
    const Elf64_Verdef *defined;
    const Elf64_Verneed *needed;
    u64 defined_count, needed_count;
    const Elf64_Rela *rela[2]; /* relocations of PLT slots (DT_JMPREL), and others */
    u64 rela_count[2];
};

/* Read an object's dynamic section. 0, or -ENOENT: it has none, or no symbols. */
int object_read(struct got_object *o, const struct dl_phdr_info *info);

/* 1 if the object defines a symbol of that name, or refers to one. */
int object_names(const struct got_object *o, const char *name);

/* The name of symbol i's version; "" = none. *hidden: 1 = it is not the default one. */
const char *object_version(const struct got_object *o, u64 i, int *hidden);

/*
 * The address of a function that the object defines, by name and version ("" = the
 * default one); a function without a version matches any. 0: it does not define it, or
 * the symbol is an ifunc.
 */
u64 object_find(const struct got_object *o, const char *name, const char *version);

#endif
