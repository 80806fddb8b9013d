/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutations that know where the input's parts are, for fuzz targets: what libFuzzer
 * does to bytes, done to one part, and the lengths around it made right.
 */
#ifndef ERTOOLS_TESTS_FUZZ_MUTATE_H
#define ERTOOLS_TESTS_FUZZ_MUTATE_H

#include <stdint.h>
#include <string.h>

#include "share/chunk.h"

/* libFuzzer's own: changes `size` bytes in place to at most `max`; their number. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

static inline u32
mutate_random(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 16 & 0x7fff;
}

/*
 * The records of one chunk, some way down the file; its size stays, so that what comes
 * behind it is found. The checks are made right when the file is used (every_mend()).
 */
static inline size_t
mutate_chunk(uint8_t *data, size_t size, size_t max, unsigned *seed)
{
    size_t at = 0, room;
    struct er_chunk chunk;

    for (u32 skip = mutate_random(seed) % 4;; skip--) {
        memcpy(&chunk, data + at, sizeof(chunk));
        if (!skip || chunk.size < sizeof(chunk) ||
            chunk.size + sizeof(chunk) > size - at)
            break;
        at += chunk.size;
    }
    room = chunk.size < max - at ? chunk.size : max - at;
    if (chunk.magic != ER_CHUNK_MAGIC || chunk.committed < sizeof(chunk) ||
        chunk.committed > size - at || chunk.committed > room)
        return LLVMFuzzerMutate(data, size, max);
    chunk.committed = (u32)(sizeof(chunk) +
                            LLVMFuzzerMutate(data + at + sizeof(chunk),
                                             chunk.committed - sizeof(chunk),
                                             room - sizeof(chunk)));
    memcpy(data + at, &chunk, sizeof(chunk));
    return at + chunk.committed > size ? at + chunk.committed : size;
}

#endif
