/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of -h: names are resolved to events, which are tried on this machine. Normal
 * context of the launcher.
 *
 * A counter's name is one of counter_event.def, a cache event (L1-dcache-load-misses),
 * rHEX (raw), SUBSYSTEM:EVENT (a tracepoint), PMU/EVENT/ or an event of a PMU that the
 * kernel lists in /sys/bus/event_source, a name of libpfm4, if it is installed; or a
 * probe (probe.h). All but probes may end with perf's :u, :p, :pp or :ppp: user mode,
 * which is the default here, and the precision of a hit's address.
 */
#ifndef ERTOOLS_COUNTER_COUNTER_H
#define ERTOOLS_COUNTER_COUNTER_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "share/ctl.h"
#include "share/types.h"

enum {
    COUNTER_NAME = 80,   /* bytes of a name, terminated */
    COUNTER_ERROR = 200, /* bytes of an error message, terminated */
};

/* How often an event happens; this determines the intervals `on`, `lo` and `hi`. */
enum counter_pace {
    PACE_TIME,  /* each ns */
    PACE_OFTEN, /* each cycle or so */
    PACE_MISS,  /* as cache misses */
    PACE_RARE,  /* as page faults */
    PACE_CALL,  /* as the calls of a function: probes */
    PACE_COUNT,
};

/* An event that was found by its name. */
struct counter_event {
    u32 type;
    u64 config, config1, config2;
    enum counter_pace pace;
    int in_kernel; /* 1 = it happens only in the kernel: it is counted, not sampled */
    u32 precise;   /* 0 to 3: perf_event_open(2)'s precise_ip */
    char *path;    /* malloc'd path of a probe's file; config2 is the offset in it */
};

struct counter {
    char name[COUNTER_NAME];
    struct ctl_counter how; /* of a probe, config1 is the address of path */
    const char *path;       /* of a probe's file, as long as collect; NULL = no probe */
    int total; /* descriptor that counts the whole process, -1 = none */
    int *more; /* descriptors of further threads of a process that already ran */
    u32 more_count;
};

struct counter_set {
    const char *program; /* the target's file, for probes in it */
    u32 count;
    struct counter counter[ER_COUNTERS];
    u32 missing; /* asked for, but not available here */
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
 * -b: the counter cycles, added if it is not there yet, is to have branch stacks.
 * counter_try_branches: 0, or -errno: this machine has none.
 */
int counter_add_branches(struct counter_set *counters, const char *interval,
                         char error[COUNTER_ERROR]);
int counter_try_branches(const struct counter_set *counters);

/* Try each counter on this machine; one that cannot be counted is moved to left_out. */
void counter_try(struct counter_set *counters);

/* Events between two hits for a word (on, lo, hi) and a pace; 0 = no such word. */
u64 counter_interval(enum counter_pace pace, const char *word);

/* What a descriptor counts. */
enum counter_span {
    COUNTER_THREAD,    /* one thread */
    COUNTER_FROM_EXEC, /* a process from its next exec on */
    COUNTER_FROM_NOW,  /* a thread from now on, and threads that it creates */
};

/* Open the counters' totals for pid, as counter.total. Probes have no total. */
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
 * kernel, or lost records for lack of room. At its end, while the totals are open.
 */
struct expdir;
void counter_log_end(const struct counter_set *counters, const struct expdir *e);

/* Stop: close the totals. */
void counter_end_totals(struct counter_set *counters);

/* counter_event.c: find the event that a name stands for. 0 or -ENOENT. */
int counter_find(const char *name, struct counter_event *event);

/* Find the name under which a counter is recorded, and by which ratios find it. */
void counter_canonical(const char *word, char name[COUNTER_NAME]);

/* The name in a row of counter_event.def, from 0 on; NULL after the last one. */
const char *counter_row(u32 row, const char **doc, struct counter_event *event);

/* The directory in which the kernel lists PMUs; tests set another one. */
extern const char *counter_devices;

/* counter_pmu.c: find PMU/EVENT/, an EVENT of any PMU; a tracepoint. 0 or -errno. */
int counter_find_pmu(const char *name, struct counter_event *event);
int counter_find_tracepoint(const char *name, struct counter_event *event);

/* Call each(context, "PMU/EVENT/") for all that the kernel lists. */
void counter_each_pmu(void (*each)(void *, const char *), void *context);

/* counter_pfm.c: find a name by libpfm4. 0; -ENOENT; -ENOSYS: that is not installed. */
int counter_find_pfm(const char *name, struct counter_event *event);

/*
 * Open a counter, disabled, for the thread or process pid (0 = the caller). period:
 * events between two hits, 0 = only count. A descriptor or -errno.
 */
int counter_open(const struct ctl_counter *how, pid_t pid, enum counter_span span,
                 u64 period);

/* Why counter_open() failed (-errno) for an event of this type, as a phrase. */
const char *counter_reason(int error, u32 type);

/* counter_list.c: print the counters that this machine offers. */
void counter_print(void);

#endif
