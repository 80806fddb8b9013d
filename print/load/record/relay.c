/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/relay.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 1024, /* events */
    RING = 8,     /* blocks */
};

struct block {
    u32 count;
    struct event event[BLOCK];
};

struct relay {
    const struct relay_ends *ends;
    bool beside; /* the producer has its own thread */
    struct block *fill; /* the block that the producer fills: ring[sent % RING] */
    pthread_mutex_t lock;  /* protects sent, used and done */
    pthread_cond_t moved;  /* sent, used or done has changed */
    u32 sent; /* blocks handed over */
    u32 used; /* blocks consumed */
    bool done; /* the producer has returned */
    struct block ring[RING];
};

static void
send_batch(struct relay *r)
{
    if (!r->beside) {
        r->ends->use(r->ends->user, r->fill->event, r->fill->count);
        r->fill->count = 0;
        return;
    }
    pthread_mutex_lock(&r->lock);
    r->sent++;
    pthread_cond_signal(&r->moved);
    while (r->sent - r->used == RING)
        pthread_cond_wait(&r->moved, &r->lock);
    pthread_mutex_unlock(&r->lock);
    r->fill = &r->ring[r->sent % RING];
    r->fill->count = 0;
}

void
relay_send(struct relay *r, const struct event *event, u32 count)
{
    while (count) {
        u32 room = BLOCK - r->fill->count, n = count < room ? count : room;

        memcpy(&r->fill->event[r->fill->count], event, n * sizeof(*event));
        r->fill->count += n;
        event += n;
        count -= n;
        if (r->fill->count == BLOCK)
            send_batch(r);
    }
}

static void *
make(void *context)
{
    struct relay *r = context;

    r->ends->produce(r->ends->maker);
    if (r->fill->count)
        send_batch(r);
    pthread_mutex_lock(&r->lock);
    r->done = true;
    pthread_cond_signal(&r->moved);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/*
 * Wait for the next block and return it; NULL at the end. Unless it is the first, give
 * the block before it back to the producer.
 */
static const struct block *
receive(struct relay *r, bool first)
{
    const struct block *block = NULL;

    pthread_mutex_lock(&r->lock);
    if (!first) {
        r->used++;
        pthread_cond_signal(&r->moved);
    }
    while (r->sent == r->used && !r->done)
        pthread_cond_wait(&r->moved, &r->lock);
    if (r->sent != r->used)
        block = &r->ring[r->used % RING];
    pthread_mutex_unlock(&r->lock);
    return block;
}

static void
use_all(struct relay *r)
{
    const struct block *block = receive(r, true);

    for (; block; block = receive(r, false))
        r->ends->use(r->ends->user, block->event, block->count);
}

int
relay_run(const struct relay_ends *ends, bool beside, struct relay **relay)
{
    struct relay *r = malloc(sizeof(*r));
    pthread_t maker;

    if (!r)
        return -ENOMEM;
    memset(r, 0, sizeof(*r));
    r->ends = ends;
    r->beside = beside;
    r->fill = r->ring;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->moved, NULL);
    *relay = r;
    if (beside && pthread_create(&maker, NULL, make, r) == 0) {
        use_all(r);
        pthread_join(maker, NULL);
    } else {
        r->beside = false;
        make(r);
    }
    free(r);
    return 0;
}
