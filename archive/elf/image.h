/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF file, mapped: any class and byte order. libelf reads its headers; sections are
 * found by name, and decompressed if necessary. Nothing in the file is trusted.
 * Ordinary process context; one thread for each image.
 */
#ifndef ERTOOLS_ARCHIVE_ELF_IMAGE_H
#define ERTOOLS_ARCHIVE_ELF_IMAGE_H

#include <elf.h>
#include <sys/stat.h>

#include "archive/object/cursor.h"

#define IMAGE_BUILDID_MAX 136 /* bytes: hex digits and the final zero */

struct image_section {
    const char *name;
    u32 type;
    u32 link;
    u32 info;
    u64 flags;
    u64 addr;
    u64 offset;
    u64 size;
    u64 entsize;
    struct bytes data; /* valid after image_data() */
    void *heap;        /* memory to free, if it was decompressed; else NULL */
    bool loaded;       /* `data` is valid */
    int status;        /* 0, or -errno: its contents could not be read */
};

struct image {
    char *path;
    struct bytes file;
    struct Elf *elf;  /* libelf's view of the file */
    bool mapped;      /* `file` is a mapping to unmap */
    void *heap;       /* memory to free; NULL: `file` is mapped or borrowed */
    struct stat st;   /* zeros for an image in memory */
    u32 bits;         /* 32 or 64 */
    bool big;         /* big-endian */
    u32 type;         /* ET_* */
    u32 machine;      /* EM_* */
    struct image_section *sections;
    u32 section_count;
    u32 phnum;
    char buildid[IMAGE_BUILDID_MAX]; /* "" = none */
};

/* One program header. */
struct image_segment {
    u32 type;
    u32 flags;
    u64 offset;
    u64 vaddr;
    u64 filesz;
    u64 memsz;
};

/*
 * Opens `path` relative to `dirfd`; follows links, but opens only regular files. 0;
 * -ENOEXEC: not a regular file, not ELF, or malformed; else -errno. On success, call
 * image_close() later.
 */
int image_open(struct image *img, int dirfd, const char *path);

/*
 * Opens an ELF file in memory; `path` is its name in messages. If `owned`, the memory
 * is freed at close or on an error.
 */
int image_open_memory(struct image *img, const char *path, struct bytes memory,
                      bool owned);

/*
 * May a file that was found near the object at `path` be used as its debug information?
 * Only if its owner is root, this user or the object's owner: in a directory such as
 * /tmp, anybody could have put it there.
 */
bool image_belongs(const struct image *img, const char *path);

void image_close(struct image *img);

/* The first section with that name (or that type), or NULL. */
struct image_section *image_find(struct image *img, const char *name);
struct image_section *image_find_type(struct image *img, u32 type);

/*
 * The contents of a section, decompressed; empty if `s` is NULL or NOBITS. 0; or -errno
 * as in inflate.h, with *out empty (-EINVAL also if the section reaches beyond the
 * file). The result is remembered in the section.
 */
int image_data(struct image *img, struct image_section *s, struct bytes *out);

/*
 * image_data() of the section to which `s` links, such as the names of a symbol table;
 * empty if `s` is NULL or links to none.
 */
int image_linked(struct image *img, const struct image_section *s, struct bytes *out);

/*
 * Gets the contents of the section with that name, as image_data() does; for .debug_*,
 * also from .zdebug_*. A section that is missing counts as empty.
 */
int image_named(struct image *img, const char *name, struct bytes *out);

/* Reads program header `i`; false if there is none with that number. */
bool image_segment(const struct image *img, u32 i, struct image_segment *out);

/*
 * The bytes in the file that are loaded at [vaddr, vaddr + size); empty if they are not
 * all in one segment.
 */
struct bytes image_loaded(const struct image *img, u64 vaddr, u64 size);

/* A cursor in this image's byte order. */
struct cursor image_cursor(const struct image *img, struct bytes b, u64 offset);

/* Reads a word, whose size depends on the image's class. */
u64 image_word(const struct image *img, struct cursor *c);

#endif
