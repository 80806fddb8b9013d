/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/dynsym.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "collector/preload/phdr.h"

/*
 * The head of DT_GNU_HASH; after it come the filter's words, the buckets and the
 * chains.
 */
struct head {
    u32 buckets;
    u32 first; /* index of the first symbol in the table */
    u32 words; /* number of the filter's words, 64 bits each */
    u32 shift; /* (hash >> shift) % 64 is the filter's second bit */
};

/*
 * An address in the object's dynamic section. In objects that the loader has loaded, it
 * has put addresses there; in other objects these are still offsets.
 */
static const void *
address(u64 bias, u64 value)
{
    return (const void *)(uintptr_t)(value < bias ? value + bias : value);
}

static void
read_dynamic(struct dynsym *out, const ElfW(Dyn) *d)
{
    for (; d->d_tag != DT_NULL; d++) {
        const void *at = address(out->bias, d->d_un.d_ptr);

        if (d->d_tag == DT_SYMTAB)
            out->symbols = at;
        else if (d->d_tag == DT_STRTAB)
            out->strings = at;
        else if (d->d_tag == DT_GNU_HASH)
            out->hash = at;
    }
}

int
dynsym_open(struct dynsym *out, const struct dl_phdr_info *info)
{
    struct dynsym table = { .bias = info->dlpi_addr };

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

        if (ph->p_type == PT_DYNAMIC &&
            phdr_is_loaded(info->dlpi_phdr, info->dlpi_phnum, ph))
            read_dynamic(&table,
                         (const void *)(uintptr_t)(info->dlpi_addr + ph->p_vaddr));
    }
    if (!table.symbols || !table.strings || !table.hash || !table.hash[0])
        return -ENOENT;
    *out = table;
    return 0;
}

static u32
hash_of(const char *name)
{
    u32 hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

u64
dynsym_find(const struct dynsym *table, const char *name)
{
    const struct head *head = (const void *)table->hash;
    const u64 *filter = (const void *)(table->hash + 4);
    const u32 *bucket = (const void *)(filter + head->words);
    const u32 *chain = bucket + head->buckets;
    u32 hash = hash_of(name);
    u64 word = filter[hash / 64 % head->words];
    u32 at;

    if (!(word >> hash % 64 & word >> (hash >> head->shift) % 64 & 1))
        return 0;
    at = bucket[hash % head->buckets];
    if (at < head->first)
        return 0;
    for (;; at++) {
        const ElfW(Sym) *symbol = &table->symbols[at];
        u32 link = chain[at - head->first];

        if ((link | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            !strcmp(table->strings + symbol->st_name, name))
            return table->bias + symbol->st_value;
        if (link & 1)
            return 0;
    }
}
