/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the clock of an experiment's records. */
#include <errno.h>
#include <string.h>

#include "print/load/experiment.h"

static int
clock_of_chunks(struct experiment *e, const struct record_source *source)
{
    struct chunk_cursor cursor = { .data = source->data, .size = source->size,
                                   .file = source->schema->number };
    const struct er_chunk *chunk;
    u32 committed;
    u64 where;
    int got;

    while ((got = chunk_next(&cursor, &chunk, &committed, &where)))
        if (got > 0 && clock_add(&e->clock, chunk->tsc0, chunk->mono0) < 0)
            return -ENOMEM;
    return 0;
}

int
experiment_clock(struct experiment *e)
{
    const char *ticks = log_fact(&e->log, "clock", "ticks");
    struct record_source source;

    if (e->have_clock)
        return 0;
    e->clock.identity = ticks && !strcmp(ticks, "monotonic");
    for (u32 i = 0; i < FILE_COUNT; i++)
        if (experiment_source(e, i, &source) == 0 && clock_of_chunks(e, &source) < 0)
            return -ENOMEM;
    for (u32 i = 0; i < e->log.nevents; i++) {
        const struct log_event_row *event = &e->log.event[i];
        u64 tick = log_event_number(event, "tick", 0);
        u64 mono = log_event_number(event, "mono", 0);

        if (tick && mono && clock_add(&e->clock, tick, mono) < 0)
            return -ENOMEM;
    }
    clock_seal(&e->clock);
    if (e->clock.anew)
        problems_add(&e->problems, "%s: the clock of the records began anew during the "
                     "run, as it does when a machine is suspended: of what goes on "
                     "across that, times are not known", e->path);
    e->have_clock = true;
    return 0;
}
