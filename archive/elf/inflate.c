/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/inflate.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

/* No section of a real object is larger; a malicious header may claim any size. */
#define SIZE_LIMIT ((u64)8 << 30)
/*
 * deflate expands at most 1032-fold; zstd and xz can do more, but real sections do not.
 */
#define RATIO_LIMIT 16384

/* Constants of liblzma's stable interface. */
#define LZMA_OK 0
#define LZMA_BUF_ERROR 10
#define LZMA_MEMORY_LIMIT ((uint64_t)256 << 20)

static void *
symbol(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    return handle ? dlsym(handle, name) : NULL;
}

static int
reserve(unsigned char **memory, struct bytes in, u64 size)
{
    if (size == 0 || in.size == 0)
        return -EINVAL;
    if (size > SIZE_LIMIT || size / RATIO_LIMIT > in.size)
        return -EFBIG;
    *memory = malloc(size);
    return *memory ? 0 : -ENOMEM;
}

static int
finish(struct bytes *out, unsigned char *memory, u64 size, bool good)
{
    if (!good) {
        free(memory);
        return -EINVAL;
    }
    *out = (struct bytes){memory, size};
    return 0;
}

int
inflate_zlib(struct bytes *out, struct bytes in, u64 size)
{
    int (*uncompress)(unsigned char *, unsigned long *, const unsigned char *,
                      unsigned long) = symbol("libz.so.1", "uncompress");
    unsigned long got = size;
    unsigned char *memory;
    int status;

    if (!uncompress)
        return -ENOTSUP;
    status = reserve(&memory, in, size);
    if (status < 0)
        return status;
    status = uncompress(memory, &got, in.at, in.size);
    return finish(out, memory, size, status == 0 && got == size);
}

int
inflate_zstd(struct bytes *out, struct bytes in, u64 size)
{
    size_t (*decompress)(void *, size_t, const void *, size_t) =
        symbol("libzstd.so.1", "ZSTD_decompress");
    unsigned char *memory;
    int status;

    if (!decompress)
        return -ENOTSUP;
    status = reserve(&memory, in, size);
    if (status < 0)
        return status;
    return finish(out, memory, size, decompress(memory, size, in.at, in.size) == size);
}

int
inflate_xz(struct bytes *out, struct bytes in)
{
    int (*decode)(uint64_t *, uint32_t, const void *, const uint8_t *, size_t *, size_t,
                  uint8_t *, size_t *, size_t) =
        symbol("liblzma.so.5", "lzma_stream_buffer_decode");
    u64 size = (u64)in.size * 4 + 4096;
    int status = LZMA_BUF_ERROR;

    if (!decode)
        return -ENOTSUP;
    for (; status == LZMA_BUF_ERROR; size *= 2) {
        uint64_t limit = LZMA_MEMORY_LIMIT;
        size_t in_at = 0, out_at = 0;
        unsigned char *memory;
        int err = reserve(&memory, in, size);

        if (err < 0)
            return err;
        status = decode(&limit, 0, NULL, in.at, &in_at, in.size, memory, &out_at, size);
        if (status == LZMA_OK)
            return finish(out, memory, out_at, true);
        free(memory);
    }
    return -EINVAL;
}
