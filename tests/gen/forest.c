/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gen/forest.h"

#include <stdlib.h>

void *
forest_must(void *p)
{
    if (p)
        return p;
    fprintf(stderr, "gen: out of memory\n");
    exit(2);
}

/* xorshift64* (Vigna, 2016). */
u64
forest_random(struct forest *f)
{
    u64 x = f->seed;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    f->seed = x;
    return x * 0x2545f4914f6cdd1d;
}

u32
forest_below(struct forest *f, u32 n)
{
    return (u32)((forest_random(f) >> 32) % n);
}

u32
forest_node(struct forest *f)
{
    return 1 + forest_below(f, f->nodes);
}

void
forest_make(struct forest *f, struct gen *gen)
{
    f->parent = forest_must(calloc(f->nodes + 1, sizeof(*f->parent)));
    f->func = forest_must(calloc(f->nodes + 1, sizeof(*f->func)));
    gen_object(gen, 1, "/gen/app", "abcd0001", FOREST_BIAS, FOREST_BIAS + GEN_CODE,
               FOREST_BIAS + GEN_CODE + (u64)f->functions * GEN_FUNC_BYTES, "main");
    gen_archive(gen, "/gen/app", "abcd0001", "f", "/gen/app.c", f->functions, 0);
    for (u32 id = 1; id <= f->nodes; id++) {
        f->func[id] = id == 1 ? 0 : forest_below(f, f->functions);
        if (id > 1)
            f->parent[id] = id - 1 - forest_below(f, id > 20 ? 20 : id - 1);
        gen_node(gen, f->parent[id], 1,
                 FOREST_BIAS + GEN_CODE + f->func[id] * GEN_FUNC_BYTES + 8, 0);
    }
}

void
forest_copy(const struct forest *f, struct gen *gen)
{
    gen_object(gen, 1, "/gen/app", "abcd0001", FOREST_BIAS, FOREST_BIAS + GEN_CODE,
               FOREST_BIAS + GEN_CODE + (u64)f->functions * GEN_FUNC_BYTES, "main");
    for (u32 id = 1; id <= f->nodes; id++)
        gen_node(gen, f->parent[id], 1,
                 FOREST_BIAS + GEN_CODE + f->func[id] * GEN_FUNC_BYTES + 8, 0);
}

void
forest_free(struct forest *f)
{
    free(f->parent);
    free(f->func);
}

static void
tell_function(const char *word, u32 func, const u64 *excl, const u64 *incl, u32 count)
{
    u64 any = 0;

    for (u32 k = 0; k < count; k++)
        any |= incl[k];
    if (!any)
        return;
    printf("%s f%u", word, func);
    for (u32 k = 0; k < 2 * count; k++)
        printf(" %llu", (unsigned long long)(k < count ? excl[k] : incl[k - count]));
    printf("\n");
}

void
forest_tell(const struct forest *f, const char *word, const u64 *self, u32 count)
{
    u64 *excl = forest_must(calloc((size_t)f->functions * count, sizeof(*excl)));
    u64 *incl = forest_must(calloc((size_t)f->functions * count, sizeof(*incl)));
    u32 *seen = forest_must(calloc(f->functions, sizeof(*seen)));

    for (u32 id = 1; id <= f->nodes; id++) {
        for (u32 k = 0; k < count; k++)
            excl[f->func[id] * count + k] += self[id * count + k];
        for (u32 at = id; at; at = f->parent[at]) {
            for (u32 k = 0; k < count && seen[f->func[at]] != id; k++)
                incl[f->func[at] * count + k] += self[id * count + k];
            seen[f->func[at]] = id;
        }
    }
    for (u32 i = 0; i < f->functions; i++)
        tell_function(word, i, excl + i * count, incl + i * count, count);
    free(excl);
    free(incl);
    free(seen);
}
