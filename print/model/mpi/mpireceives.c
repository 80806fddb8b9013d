/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpireceives.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/model/mpi/mpipending.h"

enum { FIRST_BUCKETS = 16 };

struct mpi_receive_slot {
    u64 begun;
    struct mpi_receive *receive; /* NULL = it is gone */
};

/* Open receives that ask for the same communicator, peer and tag, the oldest first. */
struct mpi_receive_class {
    struct mpi_receive_class *next; /* in its bucket */
    u32 comm, peer, tag;
    struct mpi_receive *oldest, *newest;
};

static bool
is_before(const struct mpi_receive *a, const struct mpi_receive *b)
{
    return a->begun != b->begun ? a->begun < b->begun : a->serial < b->serial;
}

static struct mpi_receive_class **
find_class(const struct mpi_receives *list, u32 comm, u32 peer, u32 tag)
{
    u64 hash = hash_mix(((u64)comm << 32 | peer) ^ (u64)tag * 0x9e3779b97f4a7c15);
    struct mpi_receive_class **link = &list->bucket[hash & (list->buckets - 1)];

    while (*link &&
           ((*link)->comm != comm || (*link)->peer != peer || (*link)->tag != tag))
        link = &(*link)->next;
    return link;
}

static int
grow(struct mpi_receives *list)
{
    struct mpi_receives old = *list;

    if (list->buckets && list->classes < list->buckets)
        return 0;
    list->buckets = old.buckets ? old.buckets * 2 : FIRST_BUCKETS;
    list->bucket = calloc(list->buckets, sizeof(struct mpi_receive_class *));
    if (!list->bucket) {
        *list = old;
        return old.buckets ? 0 : -ENOMEM;
    }
    for (u32 i = 0; i < old.buckets; i++) {
        while (old.bucket[i]) {
            struct mpi_receive_class *class = old.bucket[i];

            old.bucket[i] = class->next;
            class->next = NULL;
            *find_class(list, class->comm, class->peer, class->tag) = class;
        }
    }
    free(old.bucket);
    return 0;
}

/* Put an open receive into its class, in order of age: nearly always at the end. */
static int
enter_class(struct mpi_receives *list, struct mpi_receive *r)
{
    struct mpi_receive_class **link, *class;
    struct mpi_receive *after;

    if (grow(list) < 0)
        return -ENOMEM;
    link = find_class(list, r->comm, r->peer, r->tag);
    class = *link;
    if (!class) {
        class = calloc(1, sizeof(*class));
        if (!class)
            return -ENOMEM;
        class->comm = r->comm;
        class->peer = r->peer;
        class->tag = r->tag;
        *link = class;
        list->classes++;
    }
    for (after = class->newest; after && is_before(r, after);)
        after = after->older;
    r->class = class;
    r->older = after;
    r->newer = after ? after->newer : class->oldest;
    *(r->older ? &r->older->newer : &class->oldest) = r;
    *(r->newer ? &r->newer->older : &class->newest) = r;
    r->blocks = true;
    return 0;
}

static void
leave_class(struct mpi_receives *list, struct mpi_receive *r)
{
    struct mpi_receive_class *class = r->class;

    if (!r->blocks)
        return;
    *(r->older ? &r->older->newer : &class->oldest) = r->newer;
    *(r->newer ? &r->newer->older : &class->newest) = r->older;
    r->blocks = false;
    r->class = NULL;
    if (class->oldest)
        return;
    *find_class(list, class->comm, class->peer, class->tag) = class->next;
    list->classes--;
    free(class);
}

static bool
is_begun_before(const void *slot, const void *begun)
{
    return ((const struct mpi_receive_slot *)slot)->begun < *(const u64 *)begun;
}

/* The index of the first receive that was begun at `begun` or later. */
static u32
slot_of(const struct mpi_receives *list, u64 begun)
{
    return array_first(list->slot, list->slots, sizeof(*list->slot), is_begun_before,
                       &begun);
}

static void
tidy(struct mpi_receives *list)
{
    u32 kept = 0;

    if (list->gone <= 16 + list->slots / 2)
        return;
    for (u32 i = 0; i < list->slots; i++)
        if (list->slot[i].receive)
            list->slot[kept++] = list->slot[i];
    list->slots = kept;
    list->gone = 0;
}

struct mpi_receive *
mpireceives_add(struct mpi_receives *list, u64 begun, u32 comm, u32 peer, u32 tag)
{
    struct mpi_receive *r = calloc(1, sizeof(*r));
    u32 at;

    tidy(list);
    if (!r || array_room(&list->slot, &list->room, list->slots + 1,
                         sizeof(*list->slot)) < 0) {
        free(r);
        return NULL;
    }
    r->begun = begun;
    r->comm = comm;
    r->peer = peer;
    r->tag = tag;
    r->serial = ++list->serial;
    if (enter_class(list, r) < 0) {
        free(r);
        return NULL;
    }
    at = list->slots;
    if (at && list->slot[at - 1].begun > begun)
        at = slot_of(list, begun + 1);
    memmove(&list->slot[at + 1], &list->slot[at],
            (list->slots - at) * sizeof(*list->slot));
    list->slot[at] = (struct mpi_receive_slot){ begun, r };
    list->slots++;
    return r;
}

/*
 * The ith of the four classes whose receives accept the message: i & 1, those that ask
 * for any peer; i & 2, those that ask for any tag. NULL = there are no such receives.
 */
static struct mpi_receive_class *
accepting(const struct mpi_receives *list, u32 i, u32 comm, u32 peer, u32 tag)
{
    if (!list->buckets)
        return NULL;
    return *find_class(list, comm, i & 1 ? 0 : peer, i & 2 ? 0 : tag);
}

struct mpi_receive *
mpireceives_find(struct mpi_receives *list, u64 begun, u32 comm, u32 peer, u32 tag)
{
    for (u32 i = 0; i < 4; i++) {
        const struct mpi_receive_class *class = accepting(list, i, comm, peer, tag);

        if (class && mpipending_near(class->oldest->begun, begun))
            return class->oldest;
    }
    for (u32 i = slot_of(list, begun - (begun > 0));
         i < list->slots && mpipending_near(list->slot[i].begun, begun); i++) {
        struct mpi_receive *r = list->slot[i].receive;

        if (r && !r->done && r->comm == comm)
            return r;
    }
    return NULL;
}

static void
forget(struct mpi_receives *list, struct mpi_receive *r)
{
    u32 at = slot_of(list, r->begun);

    while (list->slot[at].receive != r)
        at++;
    list->slot[at].receive = NULL;
    list->gone++;
    free(r);
}

/*
 * The earliest open receive that may yet get the message that `r` is recorded to have
 * got.
 */
static struct mpi_receive *
blocker_of(const struct mpi_receives *list, const struct mpi_receive *r)
{
    struct mpi_receive *first = NULL;

    for (u32 i = 0; i < 4; i++) {
        const struct mpi_receive_class *class =
            accepting(list, i, r->comm, r->peer, r->tag);
        struct mpi_receive *oldest = class ? class->oldest : NULL;

        if (oldest && is_before(oldest, r) && (!first || is_before(oldest, first)))
            first = oldest;
    }
    return first;
}

/*
 * Deliver a complete receive. But if an earlier open receive may get its message first,
 * let that one hold it back.
 */
static void
settle(struct mpi_receives *list, struct mpi_receive *r)
{
    struct mpi_receive *blocker = blocker_of(list, r);

    if (blocker) {
        r->next_held = blocker->first_held;
        blocker->first_held = r;
        return;
    }
    list->deliver(list->context, list->rank, r);
    forget(list, r);
}

/* Merge two sorted lists. */
static struct mpi_receive *
merge(struct mpi_receive *a, struct mpi_receive *b)
{
    struct mpi_receive *first = NULL, **link = &first;

    while (a && b) {
        struct mpi_receive **from = is_before(a, b) ? &a : &b;

        *link = *from;
        link = &(*from)->next_held;
        *from = *link;
    }
    *link = a ? a : b;
    return first;
}

static struct mpi_receive *
sort(struct mpi_receive *r)
{
    struct mpi_receive *half = r, *end = r, *second;

    if (!r || !r->next_held)
        return r;
    while ((end = end->next_held) && (end = end->next_held))
        half = half->next_held;
    second = half->next_held;
    half->next_held = NULL;
    return merge(sort(r), sort(second));
}

/*
 * Settle the receives in the list `held`: the receive that held them back does so no
 * more.
 */
static void
settle_held(struct mpi_receives *list, struct mpi_receive *held)
{
    for (held = sort(held); held;) {
        struct mpi_receive *next = held->next_held;

        held->next_held = NULL;
        settle(list, held);
        held = next;
    }
}

static struct mpi_receive *
detach_held(struct mpi_receive *r)
{
    struct mpi_receive *held = r->first_held;

    r->first_held = NULL;
    return held;
}

void
mpireceives_complete(struct mpi_receives *list, struct mpi_receive *r)
{
    struct mpi_receive *held = detach_held(r);

    leave_class(list, r);
    r->done = true;
    settle(list, r);
    settle_held(list, held);
}

void
mpireceives_drop(struct mpi_receives *list, struct mpi_receive *r)
{
    struct mpi_receive *held = detach_held(r);

    leave_class(list, r);
    forget(list, r);
    settle_held(list, held);
}

void
mpireceives_doubt(struct mpi_receives *list)
{
    for (u32 i = 0; i < list->buckets; i++) {
        while (list->bucket[i]) {
            struct mpi_receive *r = list->bucket[i]->oldest;
            struct mpi_receive *held = detach_held(r);

            leave_class(list, r);
            settle_held(list, held);
        }
    }
}

void
mpireceives_close(struct mpi_receives *list)
{
    for (u32 i = 0; i < list->slots; i++) {
        struct mpi_receive *r = list->slot[i].receive;

        if (!r)
            continue;
        leave_class(list, r);
        if (r->done)
            list->deliver(list->context, list->rank, r);
        free(r);
    }
    free(list->slot);
    free(list->bucket);
    list->slot = NULL;
    list->bucket = NULL;
    list->slots = list->buckets = 0;
}
