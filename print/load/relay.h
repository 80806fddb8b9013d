/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events from the thread that makes them to the one that uses them, in blocks, through
 * a short ring. Where no second thread can be had, both run in turn on one.
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
 * Run both ends until the maker is done and all is used; `use` is called on this
 * thread. *relay is set before `produce` starts. 0 or -ENOMEM.
 */
int relay_run(const struct relay_ends *ends, bool beside, struct relay **relay);

void relay_send(struct relay *relay, const struct event *event, u32 count);

#endif
