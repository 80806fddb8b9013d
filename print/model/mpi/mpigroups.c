/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpigroups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

enum {
    COMMS_MAX = 1 << 20, /* ids beyond are damage */
    SOURCES_MAX = 1 << 20,
};

int
mpigroups_add(struct mpi_groups *groups, const struct mpi_event *e)
{
    struct mpi_group *group;

    if (e->comm >= COMMS_MAX)
        return 0;
    if (array_room_zero(&groups->group, &groups->count, e->comm + 1,
                        sizeof(*groups->group)) < 0)
        return -ENOMEM;
    group = &groups->group[e->comm];
    group->key = e->key;
    group->kind = e->kind;
    group->size = e->size;
    group->remote = e->kind == COMM_INTER ? e->remote : 0;
    group->place = e->comm_rank;
    group->side = e->side != 0;
    group->joins = e->joins;
    group->apart = e->apart;
    return 0;
}

int
mpigroups_add_source(struct mpi_groups *groups, u32 id, u32 rank)
{
    struct mpi_group *group = mpigroups_find(groups, id);

    if (!group || group->asked || group->sources >= SOURCES_MAX)
        return 0;
    if (array_room(&group->source, &group->room, group->sources + 1,
                   sizeof(*group->source)) < 0)
        return -ENOMEM;
    group->source[group->sources++] = rank;
    return 0;
}

void
mpigroups_free(struct mpi_groups *groups)
{
    for (u32 i = 0; i < groups->count; i++)
        free(groups->group[i].source);
    free(groups->group);
    memset(groups, 0, sizeof(*groups));
}
