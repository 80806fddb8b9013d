/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes events from a producer thread to the consumer, in blocks, through a short
 * ring. If no second thread can be started, both run alternately on one.
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
 * Run both ends until the producer has returned and all events are consumed; `use` is
 * called on this thread. *relay is set before `produce` starts. 0 or -ENOMEM.
 */
int relay_run(const struct relay_ends *ends, bool beside, struct relay **relay);

void relay_send(struct relay *relay, const struct event *event, u32 count);

#endif
