/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's samples of a process and its threads: a perf event and a ring buffer for
 * each processor. Normal context; the launcher opens them, the helper maps and reads.
 */
#ifndef ERTOOLS_OUTSIDE_RING_H
#define ERTOOLS_OUTSIDE_RING_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "share/types.h"

enum {
    RING_RECORD = 65536, /* no record is larger: its size is a u16 */
    RING_REGS = 17,      /* registers in a sample */
};

struct ring {
    int fd;
    struct perf_event_mmap_page *page; /* NULL = not mapped yet */
};

struct ring_sample;

/* An event of a thread that ran already; its records go to the ring of a processor. */
struct ring_thread {
    int fd;
    u32 ring;
    u32 tid; /* 0 = it has ended */
    u64 id;  /* the id in its samples, and in those of threads that inherit it */
};

struct rings {
    struct ring *ring;
    u32 count;
    struct ring_thread *thread; /* rings_open_now(): all events; otherwise NULL */
    u32 threads, thread_room;
    u32 stack; /* most bytes of a dumped stack */
    int machine; /* opened by rings_open_machine() */
    u64 lost;  /* records for which a ring had no room */
};

/* A decoded sample. Its pointers point into the kernel's record: nothing is copied. */
struct ring_sample {
    u32 pid, tid, cpu;
    int in_kernel;
    u64 time;  /* CLOCK_MONOTONIC, ns */
    u64 id;    /* of the event that was opened */
    const unsigned char *kernel; /* u64: the kernel's own frames, from the leaf on */
    u64 kernel_count;
    const unsigned char *chain; /* u64: user frames that frame pointers led to */
    u64 chain_count;
    u64 abi;   /* enum perf_sample_regs_abi: 0 = no registers */
    u64 regs[RING_REGS]; /* in the order of PERF_REG_X86_*: ax to ip, r8 to r15 */
    const unsigned char *stack; /* copy of the stack, from the stack pointer on */
    u64 stack_bytes; /* copied bytes: fewer than rings.stack near the stack's end */
};

/* Which hits are recorded. */
enum ring_hits {
    RING_ALL,    /* hits in user mode, and in the kernel if that is permitted */
    RING_KERNEL, /* only hits in the kernel; an error if that is not permitted */
};

/* 0 if this user may record these hits of their own processes, else -errno. */
int ring_try(enum ring_hits hits);

/*
 * Open events of pid that begin at its next exec, with a hit after each `period` ns of
 * CPU time. Returns 0 or -errno.
 */
int rings_open(struct rings *r, pid_t pid, u64 period, enum ring_hits hits);

/*
 * As rings_open(), for all threads that pid has or will create; the events begin at
 * rings_map().
 */
int rings_open_now(struct rings *r, pid_t pid, u64 period, enum ring_hits hits);

/*
 * As rings_open(), for all processes of the machine, and idle time; the events begin at
 * rings_map(). An error if this user may not sample other users' processes. cgroup:
 * directory of a control group: only its processes are sampled, and no idle time; -1 =
 * all.
 */
int rings_open_machine(struct rings *r, u64 period, int cgroup);

/*
 * Map the rings in the process that reads them, and enable events that do not wait for
 * an exec. modest: small rings, since other processes of this user need locked memory,
 * too. Returns 0 or -errno.
 */
int rings_map(struct rings *r, int modest);

/*
 * Is this sample a duplicate? A thread that was created while threads were being listed
 * has an event of its own, and has also inherited one: each gives a sample.
 */
int rings_is_double(const struct rings *r, const struct ring_sample *sample);

/* Record that a thread has ended, so that its id may be used again. */
void rings_end_thread(struct rings *r, u32 tid);

/* Disable all events, so that no more hits are recorded. */
void rings_stop(struct rings *r);

/* CPU ns that all events have counted, also of threads that have ended. */
u64 rings_total(const struct rings *r);

/* A descriptor that polls as readable once pid has called exec; -1: none. */
int rings_watch(pid_t pid);

void rings_close(struct rings *r);

/*
 * Copy the oldest record whose time is at most `until` into record (RING_RECORD bytes).
 * Returns 1, with *time set; or 0 when there is none. Losses are counted, not returned.
 */
int rings_next(struct rings *r, u64 until, unsigned char *record, u64 *time);

/*
 * How long to wait between readings, in ms, at most: so long that half of a ring cannot
 * fill. period: ns.
 */
int rings_patience(const struct rings *r, u64 period);

/* Decode a PERF_RECORD_SAMPLE. 1, or 0 if it is malformed. */
int ring_sample(const unsigned char *record, struct ring_sample *sample);

#endif
