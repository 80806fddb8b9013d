/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources of hits: perf clock, CPU-time timer, counters. Called in normal context
 * of the sampled thread, what disarms and silences of any thread, inside a guard
 * (sig/guard.h). All by raw system calls: no errno, no lock.
 */
#ifndef ERTOOLS_COLLECTOR_SOURCE_SOURCE_H
#define ERTOOLS_COLLECTOR_SOURCE_SOURCE_H

#include "collector/sig/thread.h"
#include "share/params.h"
#include "share/types.h"

/* Settings of all threads, made by source_start(), and counts of refusals. */
struct source_settings {
    u64 clock_ns;      /* interval, 0 = no clock profiling; see clock_else */
    u64 clock_else;    /* interval if no counter can be opened, 0 = no clock */
    u32 try_perf;      /* 1 = try perf clocks, 0 = never */
    int descriptors;   /* how many more descriptors all threads may keep */
    int perf_error;    /* errno of the last refusal of a perf clock, 0 = none */
    int timer_error;   /* errno of the last refusal of a CPU-time timer, 0 = none */
    int counter_error; /* errno of the last refusal of a counter, 0 = none */
    u32 counters_refused; /* times that a thread could not open a counter */
    u32 perf_refused;  /* times that a thread could not open a perf clock */
};

extern struct source_settings source_settings;

/*
 * Make the settings from params, which must stay valid; clock_ns and clock_else 0 = no
 * clock. source_renew(): in a forked child, make them again from the same params.
 */
void source_start(const struct er_params *params);
void source_renew(void);

/* Start this thread's clocks and counters; adds to t->source which clocks run. */
void source_arm(struct thread *t);

/* Stop this thread's clocks and counters, and remove their pending signals. */
void source_disarm(struct thread *t);

/* Stop clocks and counters of any thread, which may run. Pending signals stay. */
void source_silence(struct thread *t);

/* source/perf.c: have an event's signals sent to a thread, naming fd. 0 or -errno. */
long perf_direct(long fd, u32 tid);

/*
 * source/perf.c: duplicate fd to a number that is at least `least`, and that no signals
 * of this thread's sources have in si_fd. Returns the number, or -errno.
 */
long perf_number(const struct thread *t, long fd, long least);

/* source/perf.c: the user-mode perf task clock. 0 or -errno. */
int perf_arm(struct thread *t);
void perf_disarm(struct thread *t);

/*
 * Call in a forked child: closes the descriptor of the parent's clock, which continues
 * to run.
 */
void perf_disarm_child(struct thread *t);

/* source/counter.c: the counters of the control page. Counts those that are refused. */
void counter_arm(struct thread *t);
void counter_disarm(struct thread *t);

/*
 * Call in a forked child: forgets the counters, which are the parent's; the child has
 * not inherited their mappings.
 */
void counter_forget(struct thread *t);

/* source/timer.c: the CPU-time timer. 0 or -errno. */
int timer_arm(struct thread *t, u64 interval_ns);
void timer_disarm(struct thread *t);

#endif
