/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/reportpack.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/mem.h"
#include "print/export/value.h"
#include "print/out/base64.h"

enum { LEVEL = 4 }; /* of deflate */

static unsigned char *
pack_room(struct pack *pack, size_t more)
{
    if (pack->size + more > pack->room) {
        pack->room = pack->room * 2 > 4096 ? pack->room * 2 : 4096;
        pack->data = mem_realloc(pack->data, pack->room);
    }
    return pack->data + pack->size;
}

void
reportpack_number(struct pack *pack, u64 number)
{
    unsigned char *to = pack_room(pack, 10), *begin = to;

    for (; number >= 0x80; number >>= 7)
        *to++ = (unsigned char)(number | 0x80);
    *to++ = (unsigned char)number;
    pack->size += (size_t)(to - begin);
}

void
reportpack_signed(struct pack *pack, int64_t number)
{
    reportpack_number(pack, (u64)number << 1 ^ (u64)(number >> 63));
}

typedef unsigned long bound_fn(unsigned long);
typedef int compress_fn(unsigned char *, unsigned long *, const unsigned char *,
                        unsigned long, int);

static void *
symbol(const char *name)
{
    static void *library;

    if (!library)
        library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

/* Compress bytes with zlib; NULL if zlib is not installed, or fails. */
static unsigned char *
deflated(const unsigned char *data, size_t size, size_t *out)
{
    bound_fn *bound = (bound_fn *)symbol("compressBound");
    compress_fn *compress = (compress_fn *)symbol("compress2");
    unsigned long room;
    unsigned char *to;

    if (!bound || !compress)
        return NULL;
    room = bound(size);
    to = mem_realloc(NULL, room + 1);
    if (compress(to, &room, data, size, LEVEL)) {
        free(to);
        return NULL;
    }
    *out = room;
    return to;
}

void
reportpack_write(struct pack *pack, const char *name, FILE *f)
{
    size_t size = 0;
    unsigned char *small = deflated(pack->data, pack->size, &size);

    fprintf(f, "<script type=\"text/plain\" id=\"block-%s\" data-form=\"%s\">", name,
            small ? "deflate" : "plain");
    base64_write(small ? small : pack->data, small ? size : pack->size, f);
    fputs("</script>\n", f);
    free(small);
    free(pack->data);
    memset(pack, 0, sizeof(*pack));
}

void
reportpack_write_text(char *text, size_t size, const char *name, FILE *f)
{
    struct pack pack = { (unsigned char *)text, size, size };

    reportpack_write(&pack, name, f);
}

void
reportpack_string(const char *s, FILE *f)
{
    putc('"', f);
    value_write_json(s, strlen(s), f);
    putc('"', f);
}
