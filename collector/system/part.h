/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part: the experiment of one process of the machine, or of the machine itself. It is
 * made when the process's first sample is read, gets the kernel's records about the
 * process, and is closed when the process has ended. Normal context of er_kernel, one
 * thread.
 */
#ifndef ERTOOLS_SYSTEM_PART_H
#define ERTOOLS_SYSTEM_PART_H

#include "collector/session/session.h"
#include "collector/system/census.h"
#include "collector/system/feed.h"

struct part {
    struct recording *s;
    const struct census_process *process; /* valid until over; NULL = the machine */
    pid_t writer;
    int feed;   /* write end of the pipe to the writer process; -1 = closed */
    unsigned char *queue; /* bytes for which the pipe has no room yet */
    size_t queued, room;
    u64 lost;   /* records for which the queue had no room */
    u64 user, system; /* ns of the hits in user mode and in the kernel */
    u64 last;   /* CLOCK_MONOTONIC ns of the last hit */
    int over;   /* 1 = part_stop() was called: no more records follow */
    int ended;  /* 1 = over since the process has ended, or runs another program */
    char how[64]; /* for the log: how it ended */
    struct part *next;
};

/* Convert a recent time of CLOCK_MONOTONIC to all clocks. */
struct moment part_moment(const struct recording *machine, u64 mono);

/*
 * Make the part of a process, and start its writer. stack: bytes of the largest stack
 * dump. Returns 0 or -errno.
 */
int part_start(struct part **out, const struct recording *machine,
               struct census_process *p, u32 stack);

/*
 * As part_start(), for the machine, whose experiment exists already; the caller keeps
 * *s.
 */
int part_start_machine(struct part **out, struct recording *s, u32 stack);

/* Pass a record with this time to the writer. weight: as in struct part_record. */
void part_feed(struct part *part, const unsigned char *record, u64 mono, u64 weight);

/*
 * Enlarge the part's files if its writer asks for it, and write to the pipe as much of
 * the queue as it takes.
 */
void part_serve(struct part *part);

/*
 * Tell the writer that no more records follow. ended: see struct part; how: the reason,
 * for the log.
 */
void part_stop(struct part *part, int ended, const char *how);

/* Call after part_stop(). Serves the part; returns 1 when its writer has ended. */
int part_is_over(struct part *part);

/*
 * Call when part_is_over(): completes the experiment, and frees the part, but not the
 * machine's session.
 */
void part_close(struct part *part);

#endif
