/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a target of the heap tests knows of its own calls. Nothing here allocates, so
 * that the numbers are all there is.
 */
#ifndef ERTOOLS_TESTS_HEAP_OWN_H
#define ERTOOLS_TESTS_HEAP_OWN_H

#include <stdio.h>
#include <unistd.h>

struct own {
    unsigned long allocs;
    unsigned long frees;
    unsigned long reallocs;
    unsigned long maps;
    unsigned long unmaps;
    unsigned long remaps;
    unsigned long refused;
    unsigned long bytes; /* of allocs and reallocs */
    unsigned long live;
    unsigned long live_bytes;
};

static struct own own;

static inline void *
own_begin(void *p, unsigned long size)
{
    own.allocs++;
    own.bytes += size;
    own.live++;
    own.live_bytes += size;
    return p;
}

static inline void
own_end(unsigned long size)
{
    own.frees++;
    own.live--;
    own.live_bytes -= size;
}

static inline void *
own_change(void *p, unsigned long old_size, unsigned long size)
{
    own.reallocs++;
    own.bytes += size;
    own.live_bytes += size - old_size;
    return p;
}

static inline void
own_tell(void)
{
    char text[512];
    int len = snprintf(text, sizeof(text),
                       "allocs %lu\nfrees %lu\nreallocs %lu\nmaps %lu\nunmaps %lu\n"
                       "remaps %lu\nrefused %lu\nbytes %lu\nlive %lu\nlive_bytes %lu\n",
                       own.allocs, own.frees, own.reallocs, own.maps, own.unmaps,
                       own.remaps, own.refused, own.bytes, own.live, own.live_bytes);

    if (write(1, text, (size_t)len) != len)
        _exit(99);
}

#endif
