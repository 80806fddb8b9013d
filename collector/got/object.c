/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/got/object.h"

#include <errno.h>
#include <string.h>

enum {
    PAGE = 4096,
    HIDDEN = 0x8000, /* bit of a symbol's version: it is not the default one */
};

/*
 * The address in memory for an address in the dynamic section. glibc has added the bias
 * to that; other libcs, and the kernel for the vdso, have not.
 */
static u64
address(const struct got_object *o, u64 value)
{
    return value >= o->lo && value < o->hi ? value : value + o->bias;
}

static void
read_segments(struct got_object *o, const struct dl_phdr_info *info)
{
    o->lo = o->text_lo = ~0ull;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *p = &info->dlpi_phdr[i];
        u64 lo = o->bias + p->p_vaddr, hi = lo + p->p_memsz;

        if (p->p_type == PT_GNU_RELRO) {
            o->relro_lo = lo & ~(u64)(PAGE - 1);
            o->relro_hi = hi & ~(u64)(PAGE - 1);
        }
        if (p->p_type != PT_LOAD)
            continue;
        o->lo = lo < o->lo ? lo : o->lo;
        o->hi = hi > o->hi ? hi : o->hi;
        if (!(p->p_flags & PF_X))
            continue;
        o->text_lo = lo < o->text_lo ? lo : o->text_lo;
        o->text_hi = hi > o->text_hi ? hi : o->text_hi;
    }
}

/* Count the symbols by a GNU hash table, which does not say how many there are. */
static u64
count_by_hash(const u32 *head)
{
    const u32 *buckets = head + 4 + 2ul * head[2], *chains = buckets + head[0];
    u64 last = 0;

    for (u32 i = 0; i < head[0]; i++)
        last = buckets[i] > last ? buckets[i] : last;
    if (last < head[1])
        return head[1];
    while (!(chains[last - head[1]] & 1))
        last++;
    return last + 1;
}

static void
read_entry(struct got_object *o, const Elf64_Dyn *d)
{
    const void *at = (const void *)(uintptr_t)address(o, d->d_un.d_ptr);

    switch (d->d_tag) {
    case DT_SYMTAB:
        o->symbols = at;
        break;
    case DT_STRTAB:
        o->strings = at;
        break;
    case DT_VERSYM:
        o->versions = at;
        break;
    case DT_VERDEF:
        o->defined = at;
        break;
    case DT_VERDEFNUM:
        o->defined_count = d->d_un.d_val;
        break;
    case DT_VERNEED:
        o->needed = at;
        break;
    case DT_VERNEEDNUM:
        o->needed_count = d->d_un.d_val;
        break;
    case DT_HASH:
        o->count = ((const u32 *)at)[1];
        break;
    case DT_GNU_HASH:
        if (!o->count)
            o->count = count_by_hash(at);
        break;
    case DT_JMPREL:
        o->rela[0] = at;
        break;
    case DT_PLTRELSZ:
        o->rela_count[0] = d->d_un.d_val / sizeof(Elf64_Rela);
        break;
    case DT_RELA:
        o->rela[1] = at;
        break;
    case DT_RELASZ:
        o->rela_count[1] = d->d_un.d_val / sizeof(Elf64_Rela);
        break;
    default:
        break;
    }
}

int
object_read(struct got_object *o, const struct dl_phdr_info *info)
{
    const Elf64_Dyn *d = NULL;

    *o = (struct got_object){ .bias = info->dlpi_addr };
    read_segments(o, info);
    for (u32 i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            d = (const void *)(uintptr_t)(o->bias + info->dlpi_phdr[i].p_vaddr);
    for (; d && d->d_tag != DT_NULL; d++)
        read_entry(o, d);
    if (!o->symbols || !o->strings)
        return -ENOENT;
    for (int i = 0; i < 2; i++)
        if (!o->rela[i])
            o->rela_count[i] = 0;
    return 0;
}

int
object_names(const struct got_object *o, const char *name)
{
    for (u64 i = 1; i < o->count; i++)
        if (!strcmp(o->strings + o->symbols[i].st_name, name))
            return 1;
    return 0;
}

static const char *
defined_name(const struct got_object *o, u32 index)
{
    const Elf64_Verdef *d = o->defined;

    for (u64 i = 0; d && i < o->defined_count; i++) {
        const Elf64_Verdaux *aux = (const void *)((const char *)d + d->vd_aux);

        if ((d->vd_ndx & ~HIDDEN) == index && !(d->vd_flags & VER_FLG_BASE))
            return o->strings + aux->vda_name;
        d = d->vd_next ? (const void *)((const char *)d + d->vd_next) : NULL;
    }
    return NULL;
}

static const char *
needed_name(const struct got_object *o, u32 index)
{
    const Elf64_Verneed *n = o->needed;

    for (u64 i = 0; n && i < o->needed_count; i++) {
        const Elf64_Vernaux *aux = (const void *)((const char *)n + n->vn_aux);

        for (u32 k = 0; k < n->vn_cnt; k++) {
            if ((aux->vna_other & ~HIDDEN) == index)
                return o->strings + aux->vna_name;
            aux = (const void *)((const char *)aux + aux->vna_next);
        }
        n = n->vn_next ? (const void *)((const char *)n + n->vn_next) : NULL;
    }
    return NULL;
}

const char *
object_version(const struct got_object *o, u64 i, int *hidden)
{
    u32 index = o->versions ? o->versions[i] : 1;
    const char *name = NULL;

    *hidden = (index & HIDDEN) != 0;
    index &= ~(u32)HIDDEN;
    if (index >= 2)
        name = defined_name(o, index);
    if (index >= 2 && !name)
        name = needed_name(o, index);
    return name ? name : "";
}

u64
object_find(const struct got_object *o, const char *name, const char *version)
{
    for (u64 i = 1; i < o->count; i++) {
        const Elf64_Sym *s = &o->symbols[i];
        const char *has;
        int hidden;

        if (!s->st_shndx || ELF64_ST_TYPE(s->st_info) != STT_FUNC ||
            ELF64_ST_BIND(s->st_info) == STB_LOCAL ||
            strcmp(o->strings + s->st_name, name) != 0)
            continue;
        has = object_version(o, i, &hidden);
        if (*version ? !*has || !strcmp(has, version) : !hidden)
            return o->bias + s->st_value;
    }
    return 0;
}
