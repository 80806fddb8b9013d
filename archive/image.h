/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF file, mapped: any class and byte order. libelf reads its headers; sections
 * are found by name, and decompressed where necessary. Nothing in the file is trusted.
 * Ordinary process context; one thread an image.
 */
#ifndef ERTOOLS_ARCHIVE_IMAGE_H
#define ERTOOLS_ARCHIVE_IMAGE_H

#include <elf.h>
#include <sys/stat.h>

#include "archive/cursor.h"

#define IMAGE_BUILDID_MAX 136 /* hex digits and the final zero */

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
    struct bytes data; /* once loaded by image_data() */
    void *heap;        /* decompressed */
    bool loaded;
    int status; /* -errno when its contents could not be read */
};

struct image {
    char *path;
    struct bytes file;
    struct Elf *elf;  /* libelf's view of it */
    bool mapped;      /* else the memory is on the heap, or (neither) not ours */
    void *heap;
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
 * Opens `path` relative to `dirfd`; follows links, opens regular files only. 0;
 * -ENOEXEC: not an ELF file, or a malformed one; else -errno. To be closed.
 */
int image_open(struct image *img, int dirfd, const char *path);

/* The same for an ELF file in memory. With `owned` it is freed at close or on error. */
int image_open_memory(struct image *img, const char *path, struct bytes memory,
                      bool owned);

/*
 * May a file that was found near the object at `path` speak for it? Not one of a user
 * who is neither root, nor we, nor the object's owner: in a directory such as /tmp,
 * anybody can lay it there.
 */
bool image_belongs(const struct image *img, const char *path);

void image_close(struct image *img);

/* The first section of that name or type, or NULL. */
struct image_section *image_find(struct image *img, const char *name);
struct image_section *image_find_type(struct image *img, u32 type);

/*
 * The contents of a section, decompressed; empty for NULL, NOBITS and what reaches
 * beyond the file. 0, or -errno of inflate.h with *out empty; the section remembers it.
 */
int image_data(struct image *img, struct image_section *s, struct bytes *out);

/* The contents of the section of that name; also finds .zdebug_* for .debug_*. */
int image_named(struct image *img, const char *name, struct bytes *out);

/* Program header `i`; false beyond the end. */
bool image_segment(const struct image *img, u32 i, struct image_segment *out);

/* The bytes of the file that are loaded at [vaddr, vaddr + size), or empty. */
struct bytes image_loaded(const struct image *img, u64 vaddr, u64 size);

/* A cursor in this image's byte order. */
struct cursor image_cursor(const struct image *img, struct bytes b, u64 offset);

/* Reads one word of the image's class. */
u64 image_word(const struct image *img, struct cursor *c);

#endif
