/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the executable sections of an image, by address. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_ELF_CODEMAP_H
#define ERTOOLS_ARCHIVE_ELF_CODEMAP_H

#include "archive/elf/image.h"

struct codemap_part {
    u64 lo; /* [lo, hi) */
    u64 hi;
    u64 entsize; /* sh_entsize of the section; 0 for a segment */
    const char *name; /* "" for a segment */
    struct bytes bytes; /* the code, as far as the file has it */
};

struct codemap {
    struct codemap_part *at; /* sorted, without overlap */
    u32 count;
};

/*
 * Finds the executable sections, or the executable segments if there are no sections.
 * The image must outlive the map. 0, -ENOMEM, or -ENODATA: there is no code. On
 * success, call codemap_free() later.
 */
int codemap_make(struct codemap *map, struct image *img);

void codemap_free(struct codemap *map);

/* The part that contains `addr`, or NULL if none does. */
const struct codemap_part *codemap_find(const struct codemap *map, u64 addr);

#endif
