/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls each C function of a HEAP row, and tells what it did.
 *
 *   heap-calls [foreign | nothing]
 *
 * foreign: only what other allocators than glibc's do alike.
 */
/* build: -O1 -g -fno-builtin */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "heap-own.h"

static int foreign;

/* libc may not have them. */
void free_sized(void *p, size_t size) __attribute__((weak));
void free_aligned_sized(void *p, size_t align, size_t size) __attribute__((weak));
void cfree(void *p) __attribute__((weak));
void *reallocf(void *p, size_t size) __attribute__((weak));

static void
blocks(void)
{
    void *volatile p = own_begin(malloc(100), 100);
    void *q;

    free(p);
    own_end(100);
    p = own_begin(calloc(7, 11), 77);
    p = own_change(realloc(p, 5000), 77, 5000);
    p = own_change(realloc(p, 20), 5000, 20);
    p = own_change(reallocarray(p, 30, 30), 20, 900);
    free(p);
    own_end(900);
    /* Like malloc, and like free. */
    p = own_begin(realloc(NULL, 33), 33);
    if (foreign)
        free(p);
    else if (realloc(p, 0) != NULL)
        abort();
    own_end(33);
    if (posix_memalign(&q, 256, 300))
        abort();
    own_begin(q, 300);
    own_begin(aligned_alloc(64, 640), 640);
    own_begin(memalign(32, 41), 41);
    own_begin(valloc(51), 51);
    if (!foreign)
        own_begin(pvalloc(61), 61);
    p = own_begin(strdup("sixteen letters!"), 17);
    own_begin(strndup("sixteen letters!", 4), 5);
    free(NULL);
    own_begin(malloc(0), 0);
    if (malloc_usable_size(p) < 17)
        abort();
}

static void
rare(void)
{
    volatile size_t huge = PTRDIFF_MAX;
    void *p[5];

    for (int i = 0; i < 5; i++)
        p[i] = own_begin(aligned_alloc(64, 64), 64);
    if (free_sized)
        free_sized(p[0], 64), own_end(64);
    if (free_aligned_sized)
        free_aligned_sized(p[1], 64, 64), own_end(64);
    if (cfree)
        cfree(p[2]), own_end(64);
    if (reallocf) {
        p[3] = own_change(reallocf(p[3], 700), 64, 700);
        if (reallocf(p[4], huge))
            abort();
        own_end(64);
    }
}

static void
refusals(void)
{
    volatile size_t huge = PTRDIFF_MAX;
    void *volatile p;

    if (malloc(huge) || calloc(huge, 2))
        abort();
    own.refused += 2;
    p = own_begin(malloc(10), 10);
    if (realloc(p, huge) || errno != ENOMEM || reallocarray(p, huge, 3))
        abort();
    own.refused += 2;
    free(p);
    own_end(10);
}

static void
mappings(void)
{
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                   0);
    char *q = mmap64(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    own.maps += 2;
    p = mremap(p, 8192, 65536, MREMAP_MAYMOVE);
    own.remaps++;
    if (munmap(p + 4096, 8192) || munmap(q, 4096) || !munmap(p + 1, 1))
        abort();
    own.unmaps += 2;
    if (mmap(NULL, 0, 0, 0, -1, 0) != MAP_FAILED)
        abort();
}

static void
breaks(void)
{
    char *p = sbrk(0);

    sbrk(4096);
    if (brk(p + 8192))
        abort();
    own.maps += 2;
    sbrk(-4096);
    own.unmaps++;
    if (brk(p))
        abort();
    own.unmaps++;
}

int
main(int argc, char **argv)
{
    foreign = argc > 1;
    if (foreign && !strcmp(argv[1], "nothing"))
        return 0;
    blocks();
    refusals();
    if (!foreign)
        rare();
    mappings();
    if (!foreign)
        breaks();
    own_tell();
    return 0;
}
