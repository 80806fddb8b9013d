/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The libraries of the tracing families that are loaded; each registers by
 * ertools_services() (services.h). Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_CLIENTS_H
#define ERTOOLS_COLLECTOR_PRELOAD_CLIENTS_H

#include "collector/sig/thread.h"
#include "share/types.h"

/* Callbacks of libcall.so (collect -T); NULL if it is not loaded. */
struct clients_calls {
    void (*loaded)(void); /* objects may have been loaded */
    void (*redirect)(int on); /* only if attached by -P: 1 = redirect slots, 0 = undo */
    /* What dlsym() returns instead of `found`. */
    void *(*symbol)(const char *name, void *found);
    /* A longjmp() leaves the frames at these addresses of the stack. */
    void (*jumped)(u64 from, u64 to);
    /* The program ends: called for each thread that has a state of that library. */
    void (*ending)(struct thread *t);
};

/* The callbacks of collector/call, if it is loaded. */
extern struct clients_calls clients_calls;

/*
 * Add a library, once. module: an address in it; started (or NULL): to be called when
 * recording begins. No lock: the libraries are started one after the other, by the
 * loader or by the first malloc().
 */
void clients_add(const void *module, void (*started)(void));

/* Recording begins: call the `started` functions. */
void clients_start(void);

/* The number of libraries. */
u32 clients_count(void);

/* 1 if one of these libraries is in [lo, hi). */
int clients_in(u64 lo, u64 hi);

#endif
