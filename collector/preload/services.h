/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of libcollector.so for the libraries of the tracing families, which are
 * loaded after it. Each library calls one function and gets one struct. No other symbol
 * is shared, so a family never binds to another object's symbol of the same name.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_SERVICES_H
#define ERTOOLS_COLLECTOR_PRELOAD_SERVICES_H

#include "collector/preload/clients.h"
#include "collector/sig/thread.h"
#include "share/ctl.h"
#include "share/logxml.h"
#include "share/params.h"
#include "share/types.h"

enum {
    SERVICES_VERSION = 1, /* both sides come from one build */
};

struct services {
    u32 *const *gate;       /* the gate's word (sig/gate.h) */
    struct ctl *const *ctl; /* the control page; valid while the gate is open */
    const u32 *pid;         /* the process that records: space_pid */
    const u32 *is_tsc;      /* sig/clock.h */
    const u32 *by_tsc;
    const u32 *node_wanted; /* sig/node.h: node_segment_wanted */
    const u32 *map_wanted;  /* sig/objtab.h: objtab_refresh_wanted */
    long self;              /* offset of thread_self from the thread pointer */
    const struct er_params *params; /* set when recording begins */

    /* sig/walk.h and sig/clock.h. */
    u32 (*walk)(struct walk *walk, const struct walk_start *start);
    u32 (*place)(struct walk *walk, u64 pc);
    u32 (*child)(struct walk *walk, u32 parent, u64 pc);
    u64 (*mono)(void);
    u64 (*ticks)(void); /* clock_ticks_mono() */

    /* sig/python.h. python.runtime is 0 if there is no interpreter. */
    const u64 *python_runtime;
    u32 (*python_add)(struct thread *t, u32 native);

    /* preload/trace_slow.h. */
    u32 (*walk_apart)(struct thread *t, const struct walk_start *start);
    u32 (*walk_again)(struct thread *t, const struct walk_start *start);
    void (*more_nodes)(void);
    void (*want_map)(void);
    struct chunk_writer *(*room)(struct thread *t, struct trace *trace,
                                 enum er_file file, u64 ticks, u32 bytes);
    struct chunk_writer *(*busy)(struct thread *t, struct trace *trace,
                                 enum er_file file, u64 ticks, u32 bytes, u64 frame,
                                 u64 *mask);
    void (*done)(u64 mask);

    /* preload/stray.h. */
    struct thread *(*stray_enter)(u64 *mask);
    void (*stray_leave)(u64 mask);

    /* preload/wall.h, and sig/wall.h for the flag and the threshold for records. */
    const u32 *wall_is_on;
    u64 (*wall_threshold)(void);
    void (*wall_over)(struct thread *t, u32 state, u64 ticks, u32 node);

    /* preload/stack.h. */
    void (*stack_run)(void (*function)(void *), void *arg);

    const u32 *no_probe; /* sig/mem.h: mem_probe_forbidden */
    struct clients_calls *calls;
    char *const *founder; /* preload/descend.h */

    /* preload/expt.h. */
    void (*event)(enum er_event event, const char *arg1, const char *arg2,
                  const struct log_attr *attrs, int nattrs);
};

/*
 * Register a tracing library, and return the functions for it. version:
 * SERVICES_VERSION. module: an address in the caller's library, whose frames will not
 * be shown. started (or NULL) is called when recording begins, if it has not begun yet.
 * NULL: the versions differ. May be called again.
 */
const struct services *ertools_services(u32 version, const void *module,
                                        void (*started)(void));

/* What ertools_services() returns, for code in libcollector.so. */
const struct services *services_own(void);

/* The parameters of the recording; before it begins, all 0. */
const struct er_params *services_params(void);

/*
 * Recording begins: call the `started` functions. params must stay valid. Normal
 * context.
 */
void services_started(const struct er_params *params);

#endif
