/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/deadlocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/sync/lockcycle.h"
#include "print/model/sync/locks.h"
#include "print/model/symbols/stacks.h"
#include "print/model/tracescan.h"

enum {
    TRIES_MAX = 20000, /* records tried for one cycle and one set of rules */
};

/*
 * Rules for choosing records of a cycle's edges. If no rule is broken, the threads can
 * come to wait for each other.
 */
enum {
    NOT_ONE_THREAD = 1,
    NOT_READERS = 2,
    NOT_GATE = 4,
};

/* One record is chosen for each edge of a cycle. */
struct choice {
    const struct lock_order *order;
    const u32 *edge;
    u32 count;
    u32 rules;
    u32 *record; /* chosen records, by place in the cycle */
    u32 *at;     /* which of the edge's records is tried */
    u32 tries;
    const struct order_record *gate; /* the gate because of which fits() failed last */
};

/*
 * Find a lock that was held at both requests (x and y: numbers), but not for reading at
 * both. NULL = there is none.
 */
static const struct order_record *
common(const struct lock_order *o, u32 x, u32 y)
{
    for (u32 i = o->ask[x]; i < o->ask[x + 1]; i++)
        for (u32 k = o->ask[y]; k < o->ask[y + 1]; k++) {
            const struct order_record *a = &o->record[o->by_ask[i]];
            const struct order_record *b = &o->record[o->by_ask[k]];

            if (a->from == b->from &&
                !(a->held_kind == SYNC_READ && b->held_kind == SYNC_READ))
                return a;
        }
    return NULL;
}

static bool
only_read(const struct order_record *asks, const struct order_record *holds)
{
    return asks->kind == SYNC_READ && holds->held_kind == SYNC_READ;
}

/*
 * May `r` be chosen for edge `place`, without breaking a rule together with the records
 * chosen before?
 */
static bool
fits(struct choice *c, u32 place, const struct order_record *r)
{
    const struct order_record *record = c->order->record;

    if (c->rules & NOT_READERS &&
        ((place && only_read(&record[c->record[place - 1]], r)) ||
         (place + 1 == c->count && only_read(r, &record[c->record[0]]))))
        return false;
    for (u32 i = 0; i < place; i++) {
        const struct order_record *other = &record[c->record[i]], *gate;

        if (c->rules & NOT_ONE_THREAD && r->slot && r->slot == other->slot)
            return false;
        gate = c->rules & NOT_GATE ? common(c->order, other->ask, r->ask) : NULL;
        if (gate) {
            c->gate = gate;
            return false;
        }
    }
    return true;
}

/* Choose records so that none of these rules is broken; false if that is impossible. */
static bool
choose(struct choice *c, u32 rules)
{
    u32 place = 0;

    c->rules = rules;
    c->tries = 0;
    c->at[0] = 0;
    for (;;) {
        const struct order_edge *edge = &c->order->edge[c->edge[place]];

        if (c->at[place] == edge->count) {
            if (!place)
                return false;
            c->at[--place]++;
            continue;
        }
        if (++c->tries > TRIES_MAX)
            return false;
        c->record[place] = edge->first + c->at[place];
        if (!fits(c, place, &c->order->record[c->record[place]])) {
            c->at[place]++;
            continue;
        }
        if (++place == c->count)
            return true;
        c->at[place] = 0;
    }
}

/* Find the verdict on a cycle, and choose records that show it. */
static enum deadlock_verdict
judge(struct choice *c)
{
    if (choose(c, NOT_ONE_THREAD | NOT_READERS | NOT_GATE))
        return DEADLOCK_POSSIBLE;
    if (choose(c, NOT_ONE_THREAD | NOT_READERS))
        return DEADLOCK_GATE;
    if (choose(c, NOT_ONE_THREAD))
        return DEADLOCK_READERS;
    choose(c, 0);
    return DEADLOCK_FEW_THREADS;
}

/* The experiment whose cycles are being added to the result. */
struct collecting {
    struct session *session;
    u32 index;
    const struct lock_order *order;
    struct deadlocks *out;
};

static int
add_step(struct collecting *t, const struct order_edge *edge,
         const struct order_record *r)
{
    struct deadlocks *d = t->out;
    struct deadlock_step step = {
        .held = r->held,
        .object = r->object,
        .held_kind = lock_kind(r->held_kind),
        .kind = lock_kind(r->kind),
        .thread = r->slot,
        .others = edge->count - 1,
        .since = tracescan_since(t->session->experiment[t->index], FILE_synctrace,
                                 r->time),
    };

    if (stacks_of(t->session, t->index, r->held_node, &step.held_node) < 0 ||
        stacks_of(t->session, t->index, r->node, &step.node) < 0 ||
        array_room(&d->step, &d->step_room, d->steps + 1, sizeof(step)) < 0)
        return -ENOMEM;
    d->step[d->steps++] = step;
    return 0;
}

static int
add_deadlock(struct collecting *t, struct choice *c)
{
    struct deadlocks *d = t->out;
    struct deadlock new = { .experiment = t->index, .step = d->steps,
                            .steps = c->count };

    new.verdict = judge(c);
    if (new.verdict == DEADLOCK_GATE && c->gate) {
        new.gate = c->gate->held;
        new.gate_kind = lock_kind(c->gate->held_kind);
    }
    for (u32 i = 0; i < c->count; i++)
        if (add_step(t, &t->order->edge[c->edge[i]],
                     &t->order->record[c->record[i]]) < 0)
            return -ENOMEM;
    if (array_room(&d->deadlock, &d->room, d->count + 1, sizeof(new)) < 0)
        return -ENOMEM;
    d->deadlock[d->count++] = new;
    return 0;
}

static int
add_cycles(struct collecting *t, const struct lock_cycles *cycles)
{
    u32 *memory = calloc(2 * (size_t)t->order->vertices + 2, sizeof(*memory));
    struct choice c = { .order = t->order, .record = memory };
    double rate;
    int ret = memory ? tracescan_rate(t->session->experiment[t->index], FILE_synctrace,
                                      &rate)
                     : -ENOMEM;

    for (u32 i = 0; i < cycles->count && ret == 0; i++) {
        c.edge = cycles->edge + cycles->cycle[i].first;
        c.count = cycles->cycle[i].count;
        c.at = memory + t->order->vertices + 1;
        c.gate = NULL;
        ret = add_deadlock(t, &c);
    }
    free(memory);
    t->out->more |= cycles->more;
    return ret;
}

static int
add_experiment(struct session *session, u32 index, struct deadlocks *out)
{
    struct lock_order order;
    struct lock_cycles cycles;
    struct collecting t = { session, index, &order, out };
    int ret = lockorder_read(session, index, &order);

    if (ret < 0 && ret != -ENOENT)
        return ret;
    out->recorded |= ret == 0 || experiment_is_requested(session->experiment[index],
                                                         FILE_synctrace);
    if (ret == -ENOENT)
        return 0;
    out->more |= order.left_out != 0;
    ret = lockcycle_find(&order, &cycles);
    if (ret == 0) {
        ret = add_cycles(&t, &cycles);
        lockcycle_free(&cycles);
    }
    lockorder_free(&order);
    return ret;
}

static int
compare(const void *a, const void *b)
{
    const struct deadlock *x = a, *y = b;

    if ((x->verdict != DEADLOCK_POSSIBLE) != (y->verdict != DEADLOCK_POSSIBLE))
        return x->verdict == DEADLOCK_POSSIBLE ? -1 : 1;
    if (x->steps != y->steps)
        return x->steps < y->steps ? -1 : 1;
    return x->step < y->step ? -1 : x->step > y->step;
}

int
deadlocks_get(struct session *session, struct deadlocks *out)
{
    struct deadlocks d = { 0 };
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, &d);
    if (ret < 0) {
        deadlocks_free(&d);
        return ret;
    }
    if (d.count)
        qsort(d.deadlock, d.count, sizeof(*d.deadlock), compare);
    *out = d;
    return 0;
}

void
deadlocks_free(struct deadlocks *d)
{
    free(d->deadlock);
    free(d->step);
    memset(d, 0, sizeof(*d));
}
