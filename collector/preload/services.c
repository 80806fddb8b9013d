/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/services.h"

#include "collector/preload/callbacks.h"
#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/preload/stack.h"
#include "collector/preload/stray.h"
#include "collector/preload/trace_slow.h"
#include "collector/preload/wall.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/mem.h"
#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/python.h"

static struct services services = {
    .gate = &gate_word,
    .ctl = &space_ctl,
    .pid = &space_pid,
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
    .stray_enter = stray_enter,
    .stray_leave = stray_leave,
    .wall_is_on = &wall_is_on,
    .wall_threshold = wall_threshold,
    .wall_over = wall_over,
    .stack_run = stack_run,
    .no_probe = &mem_probe_forbidden,
    .calls = &clients_calls,
    .founder = &descend_founder,
    .event = expt_event,
};

/*
 * A function of libcall.so, or NULL. services_started() calls it, as the hooks of that
 * library must be active before any other constructor runs.
 */
void ertools_call_begin(void) __attribute__((weak));

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
    clients_add(module, started);
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
    clients_start();
}
