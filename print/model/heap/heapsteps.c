/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapsteps.h"

#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

struct heapsteps_key *
heapsteps_change(struct heapsteps *s, u32 key)
{
    u32 at = key + 1; /* 0 for HEAPSTEPS_OTHER */
    struct heapsteps_key *k;

    if (array_room_zero(&s->key, &s->keys, at + 1, sizeof(*s->key)) < 0 ||
        array_room(&s->changed, &s->changed_room, s->nchanged + 1,
                   sizeof(*s->changed)) < 0) {
        s->no_memory = true;
        return NULL;
    }
    k = &s->key[at];
    if (!k->changed) {
        k->changed = true;
        k->tops = s->tops;
        k->now.top = k->now.left;
        s->changed[s->nchanged++] = at;
    } else if (k->tops != s->tops) {
        k->tops = s->tops;
        k->now.top = k->now.left;
    }
    return k;
}

static void
complete(struct heapsteps *s, u32 at)
{
    struct heapsteps_key *k = &s->key[at];

    if (array_room(&s->cell, &s->room, s->count + 1, sizeof(*s->cell)) < 0) {
        s->no_memory = true;
        return;
    }
    if (k->tops != s->tops)
        k->now.top = k->now.left;
    k->now.step = s->step;
    k->now.key = at - 1;
    s->cell[s->count++] = k->now;
    k->now.calls = k->now.bytes = k->now.temporary = 0;
    k->changed = false;
}

void
heapsteps_move(struct heapsteps *s, u32 step)
{
    for (u32 i = 0; i < s->nchanged; i++)
        complete(s, s->changed[i]);
    s->nchanged = 0;
    s->step = step;
}

void
heapsteps_free(struct heapsteps *s)
{
    free(s->key);
    free(s->changed);
    free(s->cell);
    memset(s, 0, sizeof(*s));
}
