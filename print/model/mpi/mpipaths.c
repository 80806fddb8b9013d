/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpipaths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frametext.h"

struct wanted {
    const struct mpi_paths *paths;
    u32 parent, func, call;
};

static bool
is_same(const void *context, u32 index)
{
    const struct wanted *w = context;
    const struct mpi_path *path = &w->paths->path[index];

    return path->parent == w->parent && path->func == w->func && path->call == w->call;
}

static int
child(struct mpi_paths *p, u32 parent, u32 func, u32 call, u32 *out)
{
    const struct wanted wanted = { p, parent, func, call };
    u32 hash = (u32)hash_mix((u64)parent << 32 | func) ^ call * 0x9e3779b9u, at;

    if (!p->count) {
        if (array_room(&p->path, &p->room, 1, sizeof(*p->path)) < 0)
            return -ENOMEM;
        p->path[p->count++] = (struct mpi_path){ 0 };
    }
    at = hash_find(&p->hash, hash, is_same, &wanted);
    if (at == HASH_NONE) {
        at = p->count;
        if (array_room(&p->path, &p->room, at + 1, sizeof(*p->path)) < 0 ||
            hash_add(&p->hash, hash, at) < 0)
            return -ENOMEM;
        p->path[p->count++] =
            (struct mpi_path){ parent, func, call, p->path[parent].depth + 1 };
    }
    *out = at;
    return 0;
}

/*
 * How many frames at the leaf to leave out: those in libraries that every program has,
 * or in wrapper functions. None if all frames are such.
 */
static u32
to_skip(struct session *session, const struct stack_frame *frames, u32 count)
{
    u32 skip = 0;

    while (skip < count && (frametext_is_system(session, frames[skip].object) ||
                            frametext_is_wrapper(session, frames[skip].func)))
        skip++;
    return skip < count ? skip : 0;
}

bool
mpipaths_is_mpi(struct session *session, u32 func)
{
    const char *name = function_name_styled(session, func, NAME_MANGLED);

    if (*name == 'P' || *name == 'p')
        name++;
    return !strncmp(name, "MPI_", 4) || !strncmp(name, "mpi_", 4);
}

static int
make(struct session *session, struct mpi_paths *p, u32 node, u32 *out)
{
    struct stack_frame *frames;
    u32 count, skip, path = 0;
    int ret = frames_of(session, node, &frames, &count);

    if (ret < 0)
        return ret;
    skip = to_skip(session, frames, count);
    for (u32 i = count; i-- > skip && ret == 0;)
        ret = child(p, path, frames[i].func, 0, &path);
    for (u32 i = 0; i < count; i++)
        if (mpipaths_is_mpi(session, frames[i].func))
            path = PATH_MPI;
    free(frames);
    *out = path;
    return ret;
}

int
mpipaths_of(struct session *session, struct mpi_paths *p, u32 experiment, u32 id,
            u32 *path)
{
    u32 node;

    if (stacks_of(session, experiment, id, &node) < 0)
        return -ENOMEM;
    if (array_room_zero(&p->of_node, &p->nodes, node + 1, sizeof(*p->of_node)) < 0)
        return -ENOMEM;
    if (!p->of_node[node]) {
        if (make(session, p, node, path) < 0)
            return -ENOMEM;
        p->of_node[node] = *path + 1;
    }
    *path = p->of_node[node] - 1;
    return 0;
}

int
mpipaths_call(struct mpi_paths *p, u32 path, u32 call, u32 *out)
{
    return child(p, path, 0, call, out);
}

int
mpipaths_pseudo(struct mpi_paths *p, u32 func, u32 *path)
{
    return child(p, 0, func, 0, path);
}

u32
mpipaths_common(const struct mpi_paths *p, u32 a, u32 b)
{
    while (a != b) {
        u32 *deeper = p->path[a].depth >= p->path[b].depth ? &a : &b;

        *deeper = p->path[*deeper].parent;
    }
    return a;
}

void
mpipaths_free(struct mpi_paths *p)
{
    free(p->path);
    free(p->of_node);
    hash_free(&p->hash);
    memset(p, 0, sizeof(*p));
}
