/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpimerge.h"

#include <errno.h>
#include <stdlib.h>

/* Do two paths end in the same function, or in the same call of MPI in it? */
static bool
is_alike(const struct mpi_path *path, u32 a, u32 b)
{
    const struct mpi_path *x = &path[a], *y = &path[b];

    if (x->func != y->func || x->call != y->call)
        return false;
    return !x->call || path[x->parent].func == path[y->parent].func;
}

struct alike {
    const struct mpi_path *path;
    u32 this;
};

static bool
is_alike_one(const void *context, u32 index)
{
    const struct alike *a = context;

    return is_alike(a->path, a->this, index);
}

/*
 * Set first[i] to the first path that ends like path i (see is_alike()). 0 or -ENOMEM.
 */
static int
find_alike(const struct mpi_paths *paths, u32 *first)
{
    struct hash index = { 0 };
    int ret = 0;

    for (u32 i = 0; i < paths->count && ret == 0; i++) {
        const struct mpi_path *path = &paths->path[i];
        const struct alike alike = { paths->path, i };
        u32 around = path->call ? paths->path[path->parent].func : 0;
        u32 hash = (u32)hash_mix((u64)path->func << 32 | (path->call << 20 ^ around));

        first[i] = hash_find(&index, hash, is_alike_one, &alike);
        if (first[i] != HASH_NONE)
            continue;
        first[i] = i;
        ret = hash_add(&index, hash, i);
    }
    hash_free(&index);
    return ret;
}

/* Of the causes merged into one: the one with the largest value. */
struct part {
    double value;
    u32 rank, path;
};

static int
by_value(const void *a, const void *b)
{
    const struct mpi_cause *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->path < y->path ? -1 : x->path > y->path;
}

static int
merge(const struct mpi_delays *d, const u32 *first, bool worlds, mpi_cause_fn *value,
      struct mpi_causes *out, struct part *largest)
{
    for (u32 i = 0; i < d->causes; i++) {
        const struct mpi_cause *more = &d->cause[i];
        u32 world = d->ranks.rank[more->rank].world;
        u32 rank = worlds ? d->ranks.world[world].first : more->rank;
        struct mpi_cause *to =
            mpicauses_of(out, rank, first ? first[more->path] : more->path);
        struct part *part;

        if (!to)
            return -ENOMEM;
        to->direct += more->direct;
        to->indirect += more->indirect;
        to->critical += more->critical;
        to->all += more->all;
        part = &largest[to - out->cause];
        if (value(more) > part->value)
            *part = (struct part){ value(more), more->rank, more->path };
    }
    return 0;
}

static void
set_causes(struct mpi_delays *d, struct mpi_causes *merged, const struct part *largest,
           mpi_cause_fn *value)
{
    for (u32 i = 0; i < merged->causes; i++) {
        struct mpi_cause *cause = &merged->cause[i];

        cause->value = value(cause);
        if (!(largest[i].value > 0))
            continue;
        cause->rank = largest[i].rank;
        cause->path = largest[i].path;
    }
    if (merged->causes)
        qsort(merged->cause, merged->causes, sizeof(*merged->cause), by_value);
    free(d->cause);
    d->cause = merged->cause;
    d->causes = merged->causes;
    merged->cause = NULL;
}

int
mpimerge_causes(struct mpi_delays *d, bool functions, bool worlds, mpi_cause_fn *value)
{
    u32 *first = functions ? calloc((size_t)d->tracks.paths.count + 1, sizeof(*first))
                           : NULL;
    struct part *largest = calloc((size_t)d->causes + 1, sizeof(*largest));
    struct mpi_causes merged = { 0 };
    int ret = (functions && !first) || !largest ? -ENOMEM : 0;

    if (ret == 0 && functions)
        ret = find_alike(&d->tracks.paths, first);
    if (ret == 0)
        ret = merge(d, first, worlds, value, &merged, largest);
    if (ret == 0)
        set_causes(d, &merged, largest, value);
    hash_free(&merged.hash);
    free(merged.cause);
    free(first);
    free(largest);
    return ret;
}
