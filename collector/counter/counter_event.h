/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the event that a counter's name stands for. Normal context of the launcher.
 *
 * A counter's name is one of counter_event.def, a cache event (L1-dcache-load-misses),
 * rHEX (raw), SUBSYSTEM:EVENT (a tracepoint), PMU/EVENT/ or an event of a PMU that the
 * kernel lists in /sys/bus/event_source, a name of libpfm4, if it is installed; or a
 * probe (probe.h). All but probes may end with perf's :u, :p, :pp or :ppp: user mode,
 * which is the default here, and the precision of a hit's address.
 */
#ifndef ERTOOLS_COUNTER_COUNTER_EVENT_H
#define ERTOOLS_COUNTER_COUNTER_EVENT_H

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
    const char *path; /* path of a probe's file, never freed; NULL = not a probe */
    int total;        /* descriptor that counts the whole process, -1 = none */
    int *more;        /* descriptors of further threads of a process that already ran */
    u32 more_count;
};

/* Find the event that a name stands for. 0 or -ENOENT. */
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

/*
 * counter_pfm.c: find a name by libpfm4. 0; -ENOENT; -ENOSYS: libpfm4 is not installed.
 */
int counter_find_pfm(const char *name, struct counter_event *event);

#endif
