/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes events from a producer thread to a consumer, in blocks, through a short ring.
 * If no second thread can be started, producer and consumer run alternately on one
 * thread.
 */
#ifndef ERTOOLS_PRINT_LOAD_RELAY_H
#define ERTOOLS_PRINT_LOAD_RELAY_H

#include <stdbool.h>

#include "print/load/merge.h"

struct relay;

struct relay_ends {
    void (*produce)(void *maker); /* calls relay_send(), and returns at the end */
    void *maker;
    void (*use)(void *user, const struct event *event, u32 count);
    void *user;
};

/*
 * Run both until the producer has returned and all events are consumed. use() is called
 * on the calling thread. *relay is set before produce() starts. 0 or -ENOMEM.
 */
int relay_run(const struct relay_ends *ends, bool beside, struct relay **relay);

void relay_send(struct relay *relay, const struct event *event, u32 count);

#endif
