/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiqueue.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/hash.h"

enum {
    BUCKETS = 1 << 16,
};

/* The queue of one envelope; it exists only as long as something waits in it. */
struct queue {
    struct queue *next; /* in its bucket */
    struct mpi_envelope envelope;
    bool sends; /* what waits: sends, or receives */
    struct mpi_parcel *first, *last;
};

struct mpi_queues {
    struct queue *bucket[BUCKETS];
    struct queue *spare;
};

struct mpi_queues *
mpiqueue_open(void)
{
    return calloc(1, sizeof(struct mpi_queues));
}

/*
 * The pointer to the queue of that envelope; if there is none, the NULL that ends its
 * bucket.
 */
static struct queue **
find(struct mpi_queues *q, const struct mpi_envelope *e)
{
    u64 hash = hash_mix(e->comm ^ hash_mix((u64)e->from << 32 | e->to) ^
                        (u64)e->tag * 0x9e3779b97f4a7c15);
    struct queue **link = &q->bucket[hash % BUCKETS];

    while (*link && ((*link)->envelope.comm != e->comm ||
                     (*link)->envelope.from != e->from ||
                     (*link)->envelope.to != e->to || (*link)->envelope.tag != e->tag))
        link = &(*link)->next;
    return link;
}

struct mpi_parcel *
mpiqueue_pop(struct mpi_queues *q, const struct mpi_envelope *envelope, bool send)
{
    struct queue **link = find(q, envelope), *queue = *link;
    struct mpi_parcel *parcel;

    if (!queue || queue->sends == send)
        return NULL;
    parcel = queue->first;
    queue->first = parcel->next;
    parcel->queued = false;
    if (!queue->first) {
        *link = queue->next;
        queue->next = q->spare;
        q->spare = queue;
    }
    return parcel;
}

static struct queue *
new_queue(struct mpi_queues *q)
{
    struct queue *queue = q->spare;

    if (!queue)
        return calloc(1, sizeof(*queue));
    q->spare = queue->next;
    return queue;
}

int
mpiqueue_put(struct mpi_queues *q, const struct mpi_envelope *envelope, bool send,
             struct mpi_parcel *parcel)
{
    struct queue **link = find(q, envelope), *queue = *link;

    if (!queue) {
        queue = new_queue(q);
        if (!queue)
            return -ENOMEM;
        *queue = (struct queue){ .envelope = *envelope, .sends = send };
        *link = queue;
    }
    parcel->next = NULL;
    parcel->queued = true;
    *(queue->first ? &queue->last->next : &queue->first) = parcel;
    queue->last = parcel;
    return 0;
}

static void
close_queue(struct queue *queue,
            void (*left)(void *context, bool send, struct mpi_parcel *parcel),
            void *context)
{
    while (queue->first) {
        struct mpi_parcel *parcel = queue->first;

        queue->first = parcel->next;
        parcel->queued = false;
        left(context, queue->sends, parcel);
    }
    free(queue);
}

void
mpiqueue_close(struct mpi_queues *q,
               void (*left)(void *context, bool send, struct mpi_parcel *parcel),
               void *context)
{
    if (!q)
        return;
    for (u32 i = 0; i < BUCKETS; i++) {
        while (q->bucket[i]) {
            struct queue *queue = q->bucket[i];

            q->bucket[i] = queue->next;
            close_queue(queue, left, context);
        }
    }
    while (q->spare) {
        struct queue *queue = q->spare;

        q->spare = queue->next;
        free(queue);
    }
    free(q);
}
