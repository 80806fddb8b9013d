/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/records.h"

#include "print/load/record/collected.h"
#include "print/load/record/reconcile.h"

/* A sink that changes records before it passes them on to another sink. */
struct changing {
    const struct reconcile *how;
    const struct collected *collected;
    const struct record_sink *sink;
};

static void
change_batch(void *context, const struct batch *batch)
{
    const struct changing *c = context;

    if (c->collected)
        collected_batch(c->collected, batch, c->sink);
    else
        reconcile_batch(c->how, batch, c->sink);
}

int
records_scan(const struct record_source *source, const struct record_sink *sink,
             u32 workers, struct record_count *count)
{
    struct changing changing = { source->reconcile, source->collected, sink };
    bool changes = source->reconcile || source->collected;
    struct record_sink through = { change_batch, &changing, sink->ordered };

    return scan_run(source, changes ? &through : sink, workers, count);
}
