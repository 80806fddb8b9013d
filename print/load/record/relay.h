/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes events from a producer thread to a consumer, in blocks, through a short ring.
 * Without a second thread, producer and consumer run alternately on one thread.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_RELAY_H
#define ERTOOLS_PRINT_LOAD_RECORD_RELAY_H

#include <stdbool.h>

#include "print/load/record/event.h"

struct relay;

struct relay_ends {
    void (*produce)(void *maker); /* calls relay_send(); returns after the last event */
    void *maker;
    void (*use)(void *user, const struct event *event, u32 count);
    void *user;
};

/*
 * Run produce() and use() until produce() has returned and all events are used. use()
 * is called on the calling thread; so is produce(), unless `beside` and a thread can be
 * started for it. *relay, for relay_send(), is set before produce() starts, and is
 * invalid after the return. 0 or -ENOMEM.
 */
int relay_run(const struct relay_ends *ends, bool beside, struct relay **relay);

/* Pass events on; called by produce(). Waits while the ring is full. */
void relay_send(struct relay *relay, const struct event *event, u32 count);

#endif
