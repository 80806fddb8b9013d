/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpicauses.h"

#include "print/base/array.h"

struct wanted {
    const struct mpi_causes *charges;
    u32 rank, path;
};

static bool
is_same(const void *context, u32 index)
{
    const struct wanted *w = context;
    const struct mpi_cause *cause = &w->charges->cause[index];

    return cause->rank == w->rank && cause->path == w->path;
}

struct mpi_cause *
mpicauses_of(struct mpi_causes *c, u32 rank, u32 path)
{
    const struct wanted wanted = { c, rank, path };
    u32 hash = (u32)hash_mix((u64)rank << 32 | path);
    u32 at = hash_find(&c->hash, hash, is_same, &wanted);

    if (at != HASH_NONE)
        return &c->cause[at];
    if (array_room(&c->cause, &c->room, c->causes + 1, sizeof(*c->cause)) < 0 ||
        hash_add(&c->hash, hash, c->causes) < 0) {
        c->no_memory = true;
        return NULL;
    }
    c->cause[c->causes] = (struct mpi_cause){ .rank = rank, .path = path };
    return &c->cause[c->causes++];
}

void
mpicauses_add(struct mpi_causes *c, u32 rank, u32 path, double direct,
              double indirect)
{
    struct mpi_cause *cause = mpicauses_of(c, rank, path);

    if (!cause)
        return;
    cause->direct += direct;
    cause->indirect += indirect;
}
