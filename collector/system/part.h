/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment of one process among those of the machine, or of the machine itself:
 * made when the process's first sample is read, fed with the kernel's records of it,
 * and closed when it has ended. Normal context of er_kernel, one thread.
 */
#ifndef ERTOOLS_SYSTEM_PART_H
#define ERTOOLS_SYSTEM_PART_H

#include "collector/launch/session.h"
#include "collector/system/census.h"

struct part {
    struct session *s;
    const struct census_process *process; /* while not over; NULL = of the machine */
    pid_t writer;
    int feed;   /* a pipe's end; -1 = nothing more is fed */
    unsigned char *queue; /* what the pipe has no room for yet */
    size_t queued, room;
    u64 lost;   /* records for which there was no memory */
    u64 user, system; /* ns of all hits */
    u64 last;   /* CLOCK_MONOTONIC ns of the last hit */
    int over;   /* nothing more is fed */
    int ended;  /* and the process has ended, or is another program */
    char how[64];
    struct part *next;
};

/* Before the bytes of a record in the feed. */
struct part_record {
    u64 mono; /* the record's time; PART_END: there is none, it is the end */
    u64 weight; /* of a sample: ns of its processor that it stands for */
};
#define PART_END (~0ull)

/* The same moment on all clocks, a time of CLOCK_MONOTONIC of not long ago. */
struct moment part_moment(const struct session *machine, u64 mono);

/*
 * Make one, and start its writer. stack: bytes of the largest dump. Returns 0 or
 * -errno.
 */
int part_start(struct part **out, const struct session *machine,
               struct census_process *p, u32 stack);

/* The part of the machine, whose experiment is made already: *s stays the caller's. */
int part_start_machine(struct part **out, struct session *s, u32 stack);

/* Hand a record on, which has this time. weight: of a sample, else 0. */
void part_feed(struct part *part, const unsigned char *record, u64 mono, u64 weight);

/* Make room in its files, and empty the queue. */
void part_serve(struct part *part);

/* No more records: the process has ended, or recording it has. how: in a few words. */
void part_stop(struct part *part, int ended, const char *how);

/* After that: 1 when its writer has ended. */
int part_is_over(struct part *part);

/* Then: the end of its experiment; part is freed, but for a machine's session. */
void part_close(struct part *part);

#endif
