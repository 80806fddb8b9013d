/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "tests/gen/trace.h"

enum {
    CLOCK_NS = 1000000,
    BLOCKS = 1000, /* alive at a time */
};

void
gen_clocks(struct world *w)
{
    u64 *self = forest_must(calloc(w->forest.nodes + 1, sizeof(*self)));

    for (u64 i = 0; i < w->clocks; i++) {
        struct rec_clock r = {
            .node = forest_node(&w->forest),
            .cpu = forest_below(&w->forest, 8),
            .mstate = forest_below(&w->forest, 4) == 0,
            .weight = CLOCK_NS,
        };

        world_step(w);
        gen_clock(w->gen, world_thread(w), w->mono, &r);
        self[r.node] += r.weight;
    }
    if (w->clocks) {
        printf("clock %llu\n", (unsigned long long)(w->clocks * CLOCK_NS));
        forest_tell(&w->forest, "clock-function", self, 1);
    }
    free(self);
}

/* A block takes the place of another, which is freed; what lives at the end leaks. */
void
gen_blocks(struct world *w)
{
    u64 *self = forest_must(calloc((size_t)2 * (w->forest.nodes + 1), sizeof(*self)));
    u64 allocs = 0, bytes = 0;
    static bool alive[BLOCKS];

    for (u32 i = 0; i < BLOCKS; i++)
        alive[i] = false;
    for (u64 i = 0; i < w->blocks; i++) {
        u32 at = forest_below(&w->forest, BLOCKS), thread = world_thread(w);
        u64 address = 0x10000000 + (u64)at * 4096;

        world_step(w);
        if (alive[at]) {
            struct rec_free r = { .addr = address };

            gen_free(w->gen, thread, w->mono, &r);
        } else {
            struct rec_alloc r = {
                .addr = address,
                .size = 1 + forest_below(&w->forest, 2000),
                .node = forest_node(&w->forest),
            };

            gen_alloc(w->gen, thread, w->mono, &r);
            self[2 * r.node]++;
            self[2 * r.node + 1] += r.size;
            allocs++;
            bytes += r.size;
        }
        alive[at] = !alive[at];
    }
    if (w->blocks) {
        printf("heap %llu %llu\n", (unsigned long long)allocs,
               (unsigned long long)bytes);
        forest_tell(&w->forest, "heap-function", self, 2);
    }
    free(self);
}
