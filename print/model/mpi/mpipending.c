/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpipending.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

enum {
    OPEN_MAX = 1 << 16,  /* sends of a rank that have no end yet */
    BEGUN_MAX = 1 << 12, /* collective calls */
    PROBES_MAX = 256,
};

void
mpipending_drop_sending(struct mpi_parcel *parcel)
{
    if (!parcel->queued && !parcel->open)
        free(parcel);
}

static bool
is_begun_before(const void *sending, const void *begun)
{
    return ((const struct mpi_sending *)sending)->begun < *(const u64 *)begun;
}

/* The index of the first send that began at `begun` or later. */
static u32
sending_at(const struct mpi_sendings *list, u64 begun)
{
    return array_first(list->item, list->count, sizeof(*list->item), is_begun_before,
                       &begun);
}

static struct mpi_parcel *
forget_sending(struct mpi_sendings *list, struct mpi_sending *s)
{
    struct mpi_parcel *parcel = s->parcel;

    parcel->open = false;
    s->parcel = NULL;
    list->ended++;
    return parcel;
}

/* Remove sends that have ended. If too many remain, also forget the older half. */
static void
tidy(struct mpi_sendings *list)
{
    u32 live = list->count - list->ended, kept = 0;
    u32 drop = live > OPEN_MAX / 2 ? live / 2 : 0;

    for (u32 i = 0; i < list->count; i++) {
        struct mpi_sending *s = &list->item[i];

        if (s->parcel && drop) {
            drop--;
            mpipending_drop_sending(forget_sending(list, s));
        }
        if (s->parcel)
            list->item[kept++] = *s;
    }
    list->count = kept;
    list->ended = 0;
}

int
mpipending_add_sending(struct mpi_sendings *list, u64 begun, struct mpi_parcel *parcel)
{
    u32 at;

    if (list->count >= OPEN_MAX || list->ended > 16 + list->count / 2)
        tidy(list);
    if (array_room(&list->item, &list->room, list->count + 1, sizeof(*list->item)) < 0)
        return -ENOMEM;
    at = list->count && list->item[list->count - 1].begun > begun
             ? sending_at(list, begun)
             : list->count;
    memmove(&list->item[at + 1], &list->item[at],
            (list->count - at) * sizeof(*list->item));
    list->item[at] = (struct mpi_sending){ begun, parcel };
    list->count++;
    return 0;
}

struct mpi_parcel *
mpipending_pop_sending(struct mpi_sendings *list, u64 begun)
{
    for (u32 i = sending_at(list, begun - 1);
         i < list->count && mpipending_near(list->item[i].begun, begun); i++)
        if (list->item[i].parcel)
            return forget_sending(list, &list->item[i]);
    return NULL;
}

void
mpipending_close_sendings(struct mpi_sendings *list)
{
    for (u32 i = 0; i < list->count; i++)
        if (list->item[i].parcel)
            mpipending_drop_sending(forget_sending(list, &list->item[i]));
    free(list->item);
}

int
mpipending_add_probe(struct mpi_probes *list, const struct mpi_probe *probe,
                     struct mpi_span **gone)
{
    *gone = NULL;
    if (list->count == PROBES_MAX) {
        *gone = list->item[0].span;
        array_remove(list->item, &list->count, 0, sizeof(*list->item));
    }
    if (array_room(&list->item, &list->room, list->count + 1, sizeof(*list->item)) < 0)
        return -ENOMEM;
    list->item[list->count++] = *probe;
    return 0;
}

struct mpi_span *
mpipending_pop_probe(struct mpi_probes *list, const struct mpi_probe *by)
{
    for (u32 i = 0; i < list->count; i++) {
        const struct mpi_probe *p = &list->item[i];
        struct mpi_span *span = p->span;

        if (p->comm != by->comm || p->peer != by->peer || p->tag != by->tag ||
            p->begun > by->begun + 1)
            continue;
        array_remove(list->item, &list->count, i, sizeof(*list->item));
        return span;
    }
    return NULL;
}

int
mpipending_add_begun(struct mpi_begins *list, const struct mpi_begun *begun)
{
    if (list->count == BEGUN_MAX)
        array_remove(list->item, &list->count, 0, sizeof(*list->item));
    if (array_room(&list->item, &list->room, list->count + 1, sizeof(*list->item)) < 0)
        return -ENOMEM;
    list->item[list->count++] = *begun;
    return 0;
}

bool
mpipending_pop_begun(struct mpi_begins *list, struct mpi_begun *it)
{
    for (u32 i = 0; i < list->count; i++) {
        const struct mpi_begun *b = &list->item[i];

        if (!mpipending_near(b->begun, it->begun) || b->comm != it->comm ||
            (b->call && b->call != it->call))
            continue;
        *it = *b;
        array_remove(list->item, &list->count, i, sizeof(*list->item));
        return true;
    }
    return false;
}
