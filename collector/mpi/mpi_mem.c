/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_mem.h"

#include <string.h>
#include <sys/mman.h>

#include "collector/sig/sys.h"

enum {
    SLAB = 65536,
    SMALLEST = 5, /* log2 of the smallest block's bytes */
    LARGEST = 15, /* log2 of the largest block's bytes; more get a mapping each */
};

/* Free blocks, one list for each power of two. */
static void *spare[LARGEST + 1];
static char *slab;
static u64 slab_left;

static u32
class_of(u64 bytes)
{
    u32 class = SMALLEST;

    while ((1ull << class) < bytes)
        class++;
    return class;
}

static void *
cut(u64 bytes)
{
    char *at;

    if (slab_left < bytes) {
        at = sys_map(SLAB);
        if (!at)
            return NULL;
        slab = at;
        slab_left = SLAB;
    }
    at = slab;
    slab += bytes;
    slab_left -= bytes;
    return at;
}

void *
mpi_mem_alloc(u64 bytes)
{
    u32 class = class_of(bytes);
    void *at;

    if (class > LARGEST)
        return sys_map(bytes);
    at = spare[class];
    if (!at)
        return cut(1ull << class);
    memcpy(&spare[class], at, sizeof(void *));
    memset(at, 0, 1ull << class);
    return at;
}

void
mpi_mem_free(void *at, u64 bytes)
{
    u32 class = class_of(bytes);

    if (!at)
        return;
    if (class > LARGEST) {
        sys_unmap(at, bytes);
        return;
    }
    memcpy(at, &spare[class], sizeof(void *));
    spare[class] = at;
}
