/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects of a running process, as collect reads them: their files are mapped
 * in collect with the same layout as in the process, or their memory is copied. Normal
 * context of the launcher. The contents are not trusted: reads are bounds-checked.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_IMAGE_H
#define ERTOOLS_COLLECTOR_ATTACH_IMAGE_H

#include <elf.h>
#include <limits.h>
#include <sys/types.h>

#include "share/types.h"

enum image_code {
    CODE_UNSAFE,  /* a thread with such a frame must not be made to call functions */
    CODE_WAITING, /* as CODE_UNSAFE, unless the thread waits in a system call */
    CODE_PASSING, /* a hook of ours: harmless while the function that it calls runs */
};

/* The code of a function. */
struct image_range {
    u64 lo, hi; /* in the target */
    enum image_code code;
};

struct remote_image {
    u64 lo, hi;  /* the object's mappings in the target */
    u64 bias;    /* added to the file's addresses, in the target */
    char *local; /* collect's own mapping or copy of what is at lo */
    u64 size;    /* hi - lo */
    u64 text_lo, text_hi; /* executable part, in the target */
    u64 hdr;     /* .eh_frame_hdr: address in collect, 0 = none */
    u64 hdr_size;
    const Elf64_Sym *symbols; /* dynamic symbols, in `local` */
    u64 symbol_count;
    const char *strings;
    u64 strings_size;
    struct image_range *ranges;
    u32 range_count;
    int is_libc, is_loader, is_allocator, is_main, is_ours;
    char path[PATH_MAX];
};

struct images {
    pid_t pid;
    struct remote_image *image;
    u32 count;
    int is_go; /* the main program has Go's runtime */
};

/* Read all objects of a process. 0 or -errno; call images_free() in either case. */
int images_read(struct images *all, pid_t pid);
void images_free(struct images *all);

/* The object whose code is at an address of the target, or NULL. */
struct remote_image *images_at(const struct images *all, u64 pc);

/* The range of an object that contains a pc, or NULL. */
const struct image_range *image_range(const struct remote_image *image, u64 pc);

/*
 * The address in the target of a function that the object defines; 0 = none, or an
 * ifunc.
 */
u64 image_function(const struct remote_image *image, const char *name);

/* The address of a `syscall` instruction in libc, or 0. */
u64 images_syscall(const struct images *all);

#endif
