/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of other rooms, which code in preload/ and hook/ calls but may not include.
 * collector/callbacks.c, which may include any room of libcollector.so, sets the
 * pointers. Normal context of the thread that does what is described.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_CALLBACKS_H
#define ERTOOLS_COLLECTOR_PRELOAD_CALLBACKS_H

#include <setjmp.h>

#include "share/types.h"

struct er_params;
struct services;

struct callbacks {
    /* Recording begins. Both arguments stay valid. */
    void (*started)(const struct services *services, const struct er_params *params);
    /*
     * The target calls longjmp(env), which leaves the frames at the addresses `from` to
     * `to` of the stack.
     */
    void (*jumped)(const struct __jmp_buf_tag *env, u64 from, u64 to);
    /*
     * The function that dlsym(handle, name) calls instead of the real dlsym(), with the
     * same arguments; NULL = the real one.
     */
    void *(*symbol)(void *handle, const char *name);
    /*
     * In a process to which collect attaches, on the agent's thread: recording begins,
     * but no thread is recorded yet; calls are redirected to our hooks (1), or will be
     * no longer (0); about a second has passed.
     */
    void (*attached)(void);
    void (*redirect)(int on);
    void (*look)(void);
};

extern const struct callbacks callbacks;

#endif
