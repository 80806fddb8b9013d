/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/services.h"

#include "collector/preload/callbacks.h"
#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/preload/stack.h"
#include "collector/preload/trace_slow.h"
#include "collector/preload/wall.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/mem.h"
#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/python.h"

enum { CLIENTS = 8 };

struct services_calls services_calls;

static struct services services = {
    .gate = &gate_word,
    .ctl = &space_ctl,
    .pid = &expt_pid,
    .is_tsc = &clock_is_tsc,
    .by_tsc = &clock_by_tsc,
    .node_wanted = &node_segment_wanted,
    .map_wanted = &objtab_refresh_wanted,
    .walk = sig_walk_from,
    .place = sig_walk_place,
    .child = sig_walk_child,
    .mono = clock_mono,
    .ticks = clock_ticks_mono,
    .python_runtime = &python.runtime,
    .python_add = sig_python_add,
    .walk_apart = trace_walk_apart,
    .walk_again = trace_walk_again,
    .more_nodes = space_more_nodes,
    .want_map = trace_want_map,
    .room = trace_room,
    .busy = trace_busy,
    .done = trace_done,
    .stray_enter = trace_stray_enter,
    .stray_leave = trace_stray_leave,
    .wall_is_on = &wall_is_on,
    .wall_threshold = wall_threshold,
    .wall_over = wall_over,
    .stack_run = stack_run,
    .no_probe = &mem_probe_forbidden,
    .calls = &services_calls,
    .founder = &descend_founder,
    .event = expt_event,
};

/*
 * A function of libcall.so, or NULL. services_started() calls it, as the hooks of that
 * library must be active before any other constructor runs.
 */
void ertools_call_begin(void) __attribute__((weak));

static struct {
    const void *module;
    void (*started)(void);
} clients[CLIENTS];

static u32 nclients;

/*
 * Add a tracing library, once. No lock: the libraries are started one after the other,
 * by the loader or by the first malloc().
 */
static void
add_client(const void *module, void (*started)(void))
{
    for (u32 i = 0; i < nclients; i++)
        if (clients[i].module == module)
            return;
    if (nclients == CLIENTS)
        return;
    clients[nclients].module = module;
    clients[nclients].started = started;
    nclients++;
}

static void
find_self(void)
{
    services.self = (long)((char *)&thread_self - (char *)__builtin_thread_pointer());
}

__attribute__((visibility("default"))) const struct services *
ertools_services(u32 version, const void *module, void (*started)(void))
{
    if (version != SERVICES_VERSION)
        return NULL;
    add_client(module, started);
    return services_own();
}

const struct services *
services_own(void)
{
    find_self();
    return &services;
}

const struct er_params *
services_params(void)
{
    static const struct er_params none;

    return services.params ? services.params : &none;
}

void
services_started(const struct er_params *params)
{
    services.params = params;
    find_self();
    callbacks.started(&services, params);
    if (ertools_call_begin)
        ertools_call_begin();
    for (u32 i = 0; i < nclients; i++)
        if (clients[i].started)
            clients[i].started();
}

u32
services_count(void)
{
    return nclients;
}

int
services_in(u64 lo, u64 hi)
{
    for (u32 i = 0; i < nclients; i++)
        if ((u64)(uintptr_t)clients[i].module - lo < hi - lo)
            return 1;
    return 0;
}
