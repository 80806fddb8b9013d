/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/instance.h"

#include <errno.h>
#include <string.h>

#include "collector/sig/loaded.h"
#include "collector/sig/sys.h"

enum {
    HEADS = 256,
};

static ER_LARGE struct instance few[64]; /* most programs load fewer */
static struct instance *instances = few;
static u32 capacity = ER_COUNT(few);
static u32 heads[HEADS]; /* hash table: first ids of lists; by check % HEADS */
static u32 loaded;       /* id of the first loaded instance */

u32 instance_total;

static struct instance *
by_id(u32 id)
{
    return id ? &instances[id - 1] : NULL;
}

static int
grow(void)
{
    u32 more = capacity * 2;
    struct instance *longer = sys_map((u64)more * sizeof(*instances));

    if (!longer)
        return -ENOMEM;
    memcpy(longer, instances, instance_total * sizeof(*instances));
    instances = longer;
    capacity = more;
    return 0;
}

static u32 *
head_of(u64 check)
{
    return &heads[check % HEADS];
}

struct instance *
instance_find(u64 lo, u64 hi, u64 bias, u64 check)
{
    struct instance *i = by_id(*head_of(check));

    while (i && (i->check != check || i->lo != lo || i->hi != hi || i->bias != bias))
        i = by_id(i->next_alike);
    return i;
}

struct instance *
instance_new(const struct instance *like)
{
    u32 *head = head_of(like->check);
    struct instance *i;

    if (instance_total == capacity && grow() < 0)
        return NULL;
    i = &instances[instance_total];
    *i = *like;
    i->id = ++instance_total;
    i->loaded = 0;
    i->next_alike = *head;
    *head = i->id;
    return i;
}

void
instance_load(struct instance *i)
{
    i->loaded = 1;
    i->next_loaded = loaded;
    loaded = i->id;
}

void
instance_sweep(int (*gone)(const struct instance *, void *), void *arg)
{
    u32 *at = &loaded;

    for (struct instance *i; (i = by_id(*at)) != NULL;) {
        if (gone(i, arg)) {
            i->loaded = 0;
            *at = i->next_loaded;
        } else {
            at = &i->next_loaded;
        }
    }
}

int
instance_covers(u64 lo, u64 hi, u32 round)
{
    for (const struct instance *i = by_id(loaded); i; i = by_id(i->next_loaded))
        if (i->round == round && lo < i->hi && hi > i->lo)
            return 1;
    return 0;
}

void
instance_mark_loaded(u64 bias, u32 round)
{
    for (struct instance *i = by_id(loaded); i; i = by_id(i->next_loaded))
        if (i->bias == bias)
            i->round = round;
}

void
instance_forget_all(void)
{
    for (u32 id = 1; id <= instance_total; id++)
        if (by_id(id)->loaded)
            (void)loaded_remove(by_id(id)->lo, by_id(id)->hi, id);
    memset(heads, 0, sizeof(heads));
    instance_total = loaded = 0;
}
