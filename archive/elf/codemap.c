/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/codemap.h"

#include <errno.h>
#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
    const struct codemap_part *x = a, *y = b;

    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void
add(struct codemap *map, const char *name, u64 addr, u64 size, struct bytes bytes)
{
    if (size == 0 || addr + size < addr)
        return;
    map->at[map->count++] =
        (struct codemap_part){.lo = addr, .hi = addr + size, .name = name,
                              .bytes = bytes};
}

static void
add_sections(struct codemap *map, struct image *img)
{
    for (u32 i = 0; i < img->section_count; i++) {
        struct image_section *s = &img->sections[i];
        struct bytes bytes;

        /*
         * NOBITS: this is a separate debug file, and the code is in the object's own
         * file.
         */
        if (!(s->flags & SHF_EXECINSTR) || !(s->flags & SHF_ALLOC) ||
            s->type == SHT_NOBITS)
            continue;
        image_data(img, s, &bytes);
        add(map, s->name, s->addr, s->size, bytes);
        if (map->count)
            map->at[map->count - 1].entsize = s->entsize;
    }
}

static void
add_segments(struct codemap *map, struct image *img)
{
    struct image_segment seg;

    for (u32 i = 0; image_segment(img, i, &seg); i++)
        if (seg.type == PT_LOAD && (seg.flags & PF_X) && seg.filesz > 0)
            add(map, "", seg.vaddr, seg.memsz,
                image_loaded(img, seg.vaddr, seg.filesz));
}

/*
 * Where two parts overlap, the first one ends where the second begins, so that each
 * address is in one part only.
 */
static void
separate(struct codemap *map)
{
    u32 n = 0;

    qsort(map->at, map->count, sizeof(*map->at), compare);
    for (u32 i = 0; i < map->count; i++) {
        struct codemap_part *p = &map->at[i];

        if (n > 0 && p->lo < map->at[n - 1].hi) {
            if (p->hi <= map->at[n - 1].hi)
                continue;
            map->at[n - 1].hi = p->lo;
        }
        map->at[n++] = *p;
    }
    map->count = n;
}

int
codemap_make(struct codemap *map, struct image *img)
{
    *map = (struct codemap){0};
    map->at = calloc((size_t)img->section_count + img->phnum + 1, sizeof(*map->at));
    if (!map->at)
        return -ENOMEM;
    add_sections(map, img);
    if (map->count == 0)
        add_segments(map, img);
    separate(map);
    for (u32 i = 0; i < map->count; i++) {
        struct codemap_part *p = &map->at[i];

        if (p->bytes.size > p->hi - p->lo)
            p->bytes.size = p->hi - p->lo;
    }
    if (map->count > 0)
        return 0;
    codemap_free(map);
    return -ENODATA;
}

void
codemap_free(struct codemap *map)
{
    free(map->at);
    *map = (struct codemap){0};
}

const struct codemap_part *
codemap_find(const struct codemap *map, u64 addr)
{
    u32 low = 0, count = map->count;

    while (count > 0) {
        u32 half = count / 2;

        if (map->at[low + half].lo <= addr) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low > 0 && addr < map->at[low - 1].hi ? &map->at[low - 1] : NULL;
}
