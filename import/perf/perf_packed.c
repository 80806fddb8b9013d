/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/perf/perf.h"
#include "import/unpack.h"

struct perf_packed {
    unsigned char *data;
    size_t len, room;
    unsigned char *whole; /* the file, followed by the decompressed records */
};

bool
perf_packed_add(struct perf *p, struct bytes piece)
{
    struct perf_packed *k = p->packed;

    if (!k)
        k = p->packed = calloc(1, sizeof(*k));
    if (!k)
        return false;
    if (k->room - k->len < piece.size) {
        size_t room = 2 * k->room + piece.size;
        unsigned char *data = realloc(k->data, room);

        if (!data)
            return false;
        k->data = data;
        k->room = room;
    }
    memcpy(k->data + k->len, piece.at, piece.size);
    k->len += piece.size;
    return true;
}

int
perf_packed_unpack(struct perf *p)
{
    struct perf_packed *k = p->packed;
    struct bytes stream = { k->data, k->len };
    struct unpacked out;
    int ret = unpack_zstd(p->im, stream, &out);

    if (ret < 0)
        return ret;
    if (!out.heap)
        return import_fail(p->im, "its compressed records are not those of zstd");
    free(k->data);
    k->data = NULL;
    k->whole = malloc(p->file.size + out.bytes.size + 1);
    if (k->whole) {
        memcpy(k->whole, p->file.at, p->file.size);
        memcpy(k->whole + p->file.size, out.bytes.at, out.bytes.size);
        p->file = (struct bytes){ k->whole, p->file.size + out.bytes.size };
    } else {
        ret = -ENOMEM;
    }
    unpack_free(&out);
    return ret;
}

void
perf_packed_free(struct perf *p)
{
    if (!p->packed)
        return;
    free(p->packed->data);
    free(p->packed->whole);
    free(p->packed);
    p->packed = NULL;
}
