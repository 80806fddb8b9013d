/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that is sampled from outside: its address space, its stacks and its clock,
 * in the helper. One per helper process, as the unwinder's tables are global. Normal
 * context.
 */
#ifndef ERTOOLS_OUTSIDE_PROCESS_H
#define ERTOOLS_OUTSIDE_PROCESS_H

#include "collector/inspect/moment.h"
#include "collector/outside/kernel_frames.h"
#include "collector/outside/mirror.h"
#include "collector/outside/ring.h"

struct recording;
struct walk;

enum {
    PROCESS_ID_BYTES = 24, /* thread, time, ... at the end of records except samples */
};

struct process {
    struct recording *s;
    struct mirror mirror;
    struct kernel_frames kernel;
    struct walk *walk;
    struct moment now; /* when this round of reading began */
    u64 entry;         /* stack pointer at the process's exec; 0 = not read yet */
    u64 tick;          /* of the last record; later records get no smaller tick */
    int apart; /* an address of the process is in use by the helper itself */
};

/*
 * Map the data files that are written, and prepare walks. stack: bytes of the largest
 * dump. Returns 0 or -errno.
 */
int process_open(struct process *p, struct recording *s, u64 stack);

/*
 * Convert a time that lies in this round of reading, or shortly before, to the clock of
 * records.
 */
u64 process_tick(struct process *p, u64 mono);

/*
 * Are a sample's registers those of a program that execve() has replaced? Then neither
 * their code nor their stack exists any more.
 */
int process_is_replaced(const struct ring_sample *sample);

/* The stack node of a sample, 0 = there is no room. */
u32 process_walk(struct process *p, const struct ring_sample *sample);

/*
 * Add the executable mappings that a process has now; the kernel reports only those
 * that are made later.
 */
void process_add_present(struct process *p);

/* Pass each executable mapping of any process to `take`, with `mono` as its time. */
void process_each_mapping(pid_t pid, u64 mono,
                          void (*take)(void *arg, const struct mirror_mapping *mapping),
                          void *arg);

/*
 * Decode a PERF_RECORD_MMAP2; mapping->name points into the record. Returns 1, or 0 if
 * it is not an executable mapping.
 */
int process_read_mapping(const unsigned char *record, u64 mono, u32 *pid,
                         struct mirror_mapping *mapping);

/* Add the mapping of a PERF_RECORD_MMAP2 if it is this process's; mono: its time. */
void process_add_mapping(struct process *p, const unsigned char *record, u64 mono);

/*
 * Complete map.xml, and log how many records the kernel has lost for lack of room, if
 * any.
 */
void process_close(struct process *p, u64 lost);

/* The string at offset `from` of a record; NULL if it has no final zero. */
const char *process_text(const unsigned char *record, size_t from, size_t size);

#endif
