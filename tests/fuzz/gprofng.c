/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: er_import of gprofng's experiments. The input is three 16-bit sizes, of
 * log.xml, map.xml and data.frameinfo, then these, then a file of packets.
 */
#include <stdint.h>

#include "import/gprofng/gprofng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* So much of what is left. */
static struct bytes
take(struct cursor *c, u64 size)
{
    struct bytes b = { c->at, size < cursor_left(c) ? size : cursor_left(c) };

    c->at += b.size;
    return b;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cursor c = cursor_at((struct bytes){ data, size }, 0, false);
    u32 log = cursor_u16(&c), map = cursor_u16(&c), frames = cursor_u16(&c), process;
    struct gprofng_source source = { .path = NULL };
    struct import im;

    source.log = take(&c, log);
    source.map = take(&c, map);
    source.frames = take(&c, frames);
    source.data = take(&c, cursor_left(&c));
    import_open(&im, "/nonexistent");
    (void)gprofng_process(&im, &source, 0, 0, &process);
    import_close(&im);
    return 0;
}
