/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of -h: names are resolved to events, which are tried on this machine. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_COUNTER_COUNTER_H
#define ERTOOLS_COUNTER_COUNTER_H

#include "collector/counter/counter_event.h"
#include "collector/counter/counter_open.h"

struct counter_set {
    const char *program; /* the target's file, for probes in it */
    u32 count;
    struct counter counter[ER_COUNTERS];
    u32 missing; /* number of counters asked for, but not available here */
    struct {
        char name[COUNTER_NAME];
        const char *why; /* constant */
    } left_out[ER_COUNTERS];
};

/*
 * Add the counters of one -h: NAME[,INTERVAL][,NAME...], + before a name asks for
 * addresses of data; on, lo or hi alone are the default set. Probes in the target need
 * counters->program. Returns 0, or -EINVAL with a sentence in error.
 */
int counter_add(struct counter_set *counters, const char *spec,
                char error[COUNTER_ERROR]);

/*
 * For -b. counter_add_branches(): have the counter cycles record branch stacks; if it
 * is not there yet, add it with this interval. 0, or -EINVAL with a sentence in error.
 * counter_try_branches(): 0, or -errno: the machine has no branch stacks, but a counter
 * is to record them.
 */
int counter_add_branches(struct counter_set *counters, const char *interval,
                         char error[COUNTER_ERROR]);
int counter_try_branches(const struct counter_set *counters);

/* Try each counter on this machine; one that cannot be counted is moved to left_out. */
void counter_try(struct counter_set *counters);

/* Events between two hits for a word (on, lo, hi) and a pace; 0 = no such word. */
u64 counter_interval(enum counter_pace pace, const char *word);

/*
 * Open the counters' totals for pid, as counter.total; -1 where that fails. Probes have
 * no total.
 */
void counter_start_totals(struct counter_set *counters, pid_t pid,
                          enum counter_span span);

/*
 * As counter_start_totals(), from now on, for a process that has these threads already.
 */
void counter_start_totals_of(struct counter_set *counters, const pid_t *tids,
                             u32 count);

/* Write the counters to the control page of a target, before it starts. */
void counter_hand_over(const struct counter_set *counters, struct ctl *ctl);

/*
 * The present value of a total, and for how many ns it was enabled, and counted: if
 * these differ, the counter was multiplexed. 0 or -errno.
 */
int counter_read(const struct counter *counter, u64 *value, u64 *enabled, u64 *running);

/*
 * counter_end.c: log which counters of an experiment were multiplexed, throttled by the
 * kernel, or lost records for lack of room. Call at the experiment's end, while the
 * totals are open.
 */
struct expdir;
void counter_log_end(const struct counter_set *counters, const struct expdir *e);

/* Stop: close the totals. */
void counter_end_totals(struct counter_set *counters);

/* counter_list.c: print the counters that this machine offers. */
void counter_print(void);

#endif
