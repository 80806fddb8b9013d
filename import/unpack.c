/* SPDX-License-Identifier: Apache-2.0 */
#include "import/unpack.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 1 << 16, /* bytes that are decompressed at once */
    LEAST = 1 << 20, /* bytes to which any file may grow */
};

/* Memory that grows with the decompressed contents. */
struct growing {
    unsigned char *data;
    size_t len, room, most;
};

/* Makes room for another piece. 0, -EFBIG or -ENOMEM. */
static int
grow(struct growing *g)
{
    size_t room = g->room ? 2 * g->room : 4 * PIECE;
    unsigned char *data;

    if (g->room - g->len >= PIECE)
        return 0;
    if (g->len > g->most)
        return -EFBIG;
    data = realloc(g->data, room);
    if (!data)
        return -ENOMEM;
    g->data = data;
    g->room = room;
    return 0;
}

struct format {
    const char *magic; /* first bytes of a compressed file */
    const char *library;
    int (*unpack)(struct bytes file, struct growing *g); /* -ENOTSUP: no library */
};

/* Decompresses a file that begins with format->magic. Returns others unchanged. */
static int
unpack(struct import *im, struct bytes file, const struct format *format,
       struct unpacked *out)
{
    struct growing g = { .most = file.size * UNPACK_TIMES + LEAST };
    size_t magic = strlen(format->magic);
    int ret;

    *out = (struct unpacked){ .bytes = file };
    if (file.size < magic || memcmp(file.at, format->magic, magic) != 0)
        return 0;
    ret = format->unpack(file, &g);
    if (ret == 0) {
        out->heap = g.data;
        out->bytes = (struct bytes){ g.data, g.len };
        return 0;
    }
    free(g.data);
    if (ret == -ENOMEM)
        return ret;
    if (ret == -ENOTSUP)
        return import_fail(im, "it is compressed, and %s is not installed",
                           format->library);
    if (ret == -EFBIG)
        return import_fail(im, "unpacked it is more than %d times as large",
                           UNPACK_TIMES);
    return import_fail(im, "it is compressed, and damaged");
}

/* The beginning of zlib's z_stream, whose layout is fixed by zlib's interface. */
struct zstream {
    const unsigned char *next_in;
    unsigned avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state, *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler, reserved;
};

enum { ZLIB_OK = 0, ZLIB_END = 1, ZLIB_GZIP = 31, ZLIB_ZLIB = 15 };

struct zlib {
    int (*init)(struct zstream *, int, const char *, int);
    int (*inflate)(struct zstream *, int);
    int (*reset)(struct zstream *);
    int (*end)(struct zstream *);
};

static bool
load_zlib(struct zlib *z)
{
    void *lib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!lib)
        return false;
    z->init = (int (*)(struct zstream *, int, const char *, int))dlsym(
        lib, "inflateInit2_");
    z->inflate = (int (*)(struct zstream *, int))dlsym(lib, "inflate");
    z->reset = (int (*)(struct zstream *))dlsym(lib, "inflateReset");
    z->end = (int (*)(struct zstream *))dlsym(lib, "inflateEnd");
    return z->init && z->inflate && z->reset && z->end;
}

/* Decompresses all members of a file. bits: ZLIB_GZIP or ZLIB_ZLIB. */
static int
inflate_all(struct bytes file, struct growing *g, int bits)
{
    struct zstream s = { .next_in = file.at };
    const unsigned char *end = file.at + file.size;
    int ret = 0, state = ZLIB_OK;
    struct zlib zlib, *z = &zlib;

    if (!load_zlib(z) || z->init(&s, bits, "1.2.11", (int)sizeof(s)) != ZLIB_OK)
        return -ENOTSUP;
    while (ret == 0) {
        size_t left = (size_t)(end - s.next_in);

        ret = grow(g);
        if (ret < 0)
            break;
        if (state == ZLIB_END && (!left || z->reset(&s) != ZLIB_OK))
            break;
        s.avail_in = left < PIECE ? (unsigned)left : PIECE;
        s.next_out = g->data + g->len;
        s.avail_out = PIECE;
        state = z->inflate(&s, 0);
        g->len += PIECE - s.avail_out;
        if (state != ZLIB_OK && state != ZLIB_END)
            ret = -EBADMSG;
    }
    z->end(&s);
    return ret;
}

static int
unpack_members(struct bytes file, struct growing *g)
{
    return inflate_all(file, g, ZLIB_GZIP);
}

static int
unpack_stream(struct bytes file, struct growing *g)
{
    return inflate_all(file, g, ZLIB_ZLIB);
}

int
unpack_zlib(struct import *im, struct bytes file, struct unpacked *out)
{
    static const struct format zlib = { "\x78\x9c", "zlib", unpack_stream };

    return unpack(im, file, &zlib, out);
}

int
unpack_gzip(struct import *im, struct bytes file, struct unpacked *out)
{
    static const struct format gzip = { "\x1f\x8b\x08", "zlib", unpack_members };

    return unpack(im, file, &gzip, out);
}

/* ZSTD_inBuffer and ZSTD_outBuffer. */
struct zstd_buffer {
    const void *data;
    size_t size, pos;
};

struct zstd {
    void *(*make)(void);
    size_t (*decompress)(void *, struct zstd_buffer *, struct zstd_buffer *);
    unsigned (*is_error)(size_t);
    size_t (*free)(void *);
};

static bool
load_zstd(struct zstd *z)
{
    void *lib = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!lib)
        return false;
    z->make = (void *(*)(void))dlsym(lib, "ZSTD_createDStream");
    z->decompress = (size_t (*)(void *, struct zstd_buffer *,
                                struct zstd_buffer *))dlsym(lib,
                                                            "ZSTD_decompressStream");
    z->is_error = (unsigned (*)(size_t))dlsym(lib, "ZSTD_isError");
    z->free = (size_t (*)(void *))dlsym(lib, "ZSTD_freeDStream");
    return z->make && z->decompress && z->is_error && z->free;
}

static int
unpack_frames(struct bytes file, struct growing *g)
{
    struct zstd_buffer in = { file.at, file.size, 0 };
    struct zstd zstd, *z = &zstd;
    size_t state = 1;
    void *stream;
    int ret;

    if (!load_zstd(z))
        return -ENOTSUP;
    stream = z->make();
    ret = stream ? 0 : -ENOMEM;

    while (ret == 0) {
        struct zstd_buffer piece = { NULL, PIECE, 0 };

        ret = grow(g);
        if (ret < 0)
            break;
        piece.data = g->data + g->len;
        state = z->decompress(stream, &piece, &in);
        g->len += piece.pos;
        if (z->is_error(state))
            ret = -EBADMSG;
        else if (in.pos == in.size && piece.pos < PIECE)
            break;
    }
    if (stream)
        z->free(stream);
    return ret;
}

int
unpack_zstd(struct import *im, struct bytes file, struct unpacked *out)
{
    static const struct format zstd = { "\x28\xb5\x2f\xfd", "zstd", unpack_frames };

    return unpack(im, file, &zstd, out);
}

typedef int bunzip_fn(char *to, unsigned *to_len, char *from, unsigned from_len,
                      int small, int verbosity);

enum { BZIP2_OK = 0, BZIP2_MEMORY = -3, BZIP2_FULL = -8 };

/* Decompresses in one call; if the result did not fit, again with more room. */
static int
unpack_block(struct bytes file, struct growing *g)
{
    void *lib = dlopen("libbz2.so.1.0", RTLD_NOW | RTLD_LOCAL);
    int ret = BZIP2_FULL;
    bunzip_fn *bunzip;

    if (!lib)
        return -ENOTSUP;
    *(void **)(void *)&bunzip = dlsym(lib, "BZ2_bzBuffToBuffDecompress");
    if (!bunzip)
        return -ENOTSUP;
    for (size_t room = LEAST; ret == BZIP2_FULL; room *= 4) {
        unsigned len = (unsigned)room;

        if (room / 4 > g->most || room > UINT32_MAX / 2 || file.size > UINT32_MAX)
            return -EFBIG;
        free(g->data);
        g->data = malloc(room);
        if (!g->data)
            return -ENOMEM;
        ret = bunzip((char *)g->data, &len, (char *)(uintptr_t)file.at,
                     (unsigned)file.size, 0, 0);
        g->len = len;
    }
    return ret == BZIP2_OK ? 0 : ret == BZIP2_MEMORY ? -ENOMEM : -EBADMSG;
}

int
unpack_bzip2(struct import *im, struct bytes file, struct unpacked *out)
{
    static const struct format bzip2 = { "BZh", "bzip2", unpack_block };

    return unpack(im, file, &bzip2, out);
}

void
unpack_free(struct unpacked *u)
{
    free(u->heap);
    *u = (struct unpacked){ .heap = NULL };
}
