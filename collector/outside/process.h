/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that is sampled from outside: its address space, its stacks and its clock,
 * in the helper. One in each helper, as the unwinder's tables are. Normal context.
 */
#ifndef ERTOOLS_OUTSIDE_PROCESS_H
#define ERTOOLS_OUTSIDE_PROCESS_H

#include "collector/launch/moment.h"
#include "collector/outside/kernel_frames.h"
#include "collector/outside/mirror.h"
#include "collector/outside/ring.h"

struct session;
struct walk;

enum {
    PROCESS_ID_BYTES = 24, /* at the end of each record but samples: who and when */
};

struct process {
    struct session *s;
    struct mirror mirror;
    struct kernel_frames kernel;
    struct walk *walk;
    struct moment now; /* of this round */
    u64 entry;         /* where the process's stack began, 0 = not known */
    u64 tick;          /* of the last record: times do not go back */
    int apart; /* something of the process is where this one has its own */
};

/*
 * Map the files that are written, and have what walks need. stack: bytes of the largest
 * dump. Returns 0 or -errno.
 */
int process_open(struct process *p, struct session *s, u64 stack);

/* The clock of records at a time of this round or shortly before. */
u64 process_tick(struct process *p, u64 mono);

/* The stack node of a sample, 0 = there is no room. */
u32 process_walk(struct process *p, const struct ring_sample *sample);

/* Executable mappings of a process that runs already. */
void process_add_present(struct process *p);

/* The same, of any process, each by `take`; their time is mono. */
void process_each_mapping(pid_t pid, u64 mono,
                          void (*take)(void *arg, const struct mirror_mapping *mapping),
                          void *arg);

/*
 * The executable mapping that a PERF_RECORD_MMAP2 tells of, its name in the record. 1;
 * or 0 if it is none.
 */
int process_read_mapping(const unsigned char *record, u64 mono, u32 *pid,
                         struct mirror_mapping *mapping);

/* A PERF_RECORD_MMAP2 of any process; mono: its time. */
void process_take_mapping(struct process *p, const unsigned char *record, u64 mono);

/* Log that the kernel had no room for that many records, if it is not 0. */
void process_tell_lost(const struct process *p, u64 lost);

/* A string at the end of a record, terminated; NULL if it is not. */
const char *process_text(const unsigned char *record, size_t from, size_t size);

#endif
