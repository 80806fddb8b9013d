/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's samples of a process and its threads: an event and a ring for each
 * processor. Normal context; opened by the launcher, mapped and read by the helper.
 */
#ifndef ERTOOLS_OUTSIDE_RING_H
#define ERTOOLS_OUTSIDE_RING_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "share/types.h"

enum {
    RING_RECORD = 65536, /* no record is larger: its size is a u16 */
    RING_REGS = 17,      /* of a sample: see ring_sample() */
};

struct ring {
    int fd;
    struct perf_event_mmap_page *page; /* NULL = not mapped yet */
};

struct ring_sample;

/* An event of a thread that ran already: its records go to some ring. */
struct ring_thread {
    int fd;
    u32 ring;
    u32 tid; /* 0 = it has ended */
    u64 id;  /* as in samples of it, and of threads that it makes */
};

struct rings {
    struct ring *ring;
    u32 count;
    struct ring_thread *thread; /* rings_open_now(): of all; NULL otherwise */
    u32 threads, thread_room;
    u32 stack; /* bytes of a dumped stack */
    int machine; /* rings_open_machine() */
    u64 lost;  /* records for which there was no room */
};

/* A sample, in a record; pointers are into it. */
struct ring_sample {
    u32 pid, tid, cpu;
    int in_kernel;
    u64 time;  /* CLOCK_MONOTONIC, ns */
    u64 id;    /* of the event that was opened */
    const unsigned char *kernel; /* u64: the kernel's own frames, from the leaf on */
    u64 kernel_count;
    const unsigned char *chain; /* u64: what the kernel found by frame pointers */
    u64 chain_count;
    u64 abi;   /* enum perf_sample_regs_abi: 0 = no registers */
    u64 regs[RING_REGS]; /* in the order of PERF_REG_X86_*: ax to ip, r8 to r15 */
    const unsigned char *stack; /* what lies from the stack pointer on */
    u64 stack_bytes; /* that were copied: less than asked for at the stack's end */
};

/* Which hits. */
enum ring_hits {
    RING_ALL,    /* those in the kernel are among them where that is permitted */
    RING_KERNEL, /* only those in the kernel; refused where that is not permitted */
};

/* 0 if this user may sample a process of their own like that, else -errno. */
int ring_try(enum ring_hits hits);

/*
 * Open events of pid, which begin at its next exec, one hit each period ns of CPU time.
 * Returns 0 or -errno.
 */
int rings_open(struct rings *r, pid_t pid, u64 period, enum ring_hits hits);

/* The same of all threads that pid has, and makes from now on; from rings_map() on. */
int rings_open_now(struct rings *r, pid_t pid, u64 period, enum ring_hits hits);

/*
 * The same of all that runs on the machine, idle time too; from rings_map() on. Refused
 * where this user may not sample others' processes. cgroup: the directory of the only
 * control group that is sampled, and no idle time; -1 = all.
 */
int rings_open_machine(struct rings *r, u64 period, int cgroup);

/*
 * Map what was opened, in the process that reads, and have what is to begin now begin.
 * modest: others of this user need locked memory, too. Returns 0 or -errno.
 */
int rings_map(struct rings *r, int modest);

/*
 * Is this sample of a thread that has an event of its own and yet has inherited one,
 * as it was made while all were listed? The other one has it, too.
 */
int rings_is_double(const struct rings *r, const struct ring_sample *sample);

/* A thread has ended: another one may have its id. */
void rings_end_thread(struct rings *r, u32 tid);

/* No more hits from here on. */
void rings_stop(struct rings *r);

/* CPU ns that all events have counted, of threads that have ended too. */
u64 rings_total(const struct rings *r);

/* A descriptor that polls as readable once pid has called exec; -1: none. */
int rings_watch(pid_t pid);

void rings_close(struct rings *r);

/*
 * Copy the oldest record whose time is at most `until` into record (RING_RECORD bytes).
 * Returns 1, with *time set; or 0 when there is none. Losses are counted, not returned.
 */
int rings_next(struct rings *r, u64 until, unsigned char *record, u64 *time);

/* How often to look, ms, if hits come each `period` ns: before a ring is half full. */
int rings_patience(const struct rings *r, u64 period);

/* Take a PERF_RECORD_SAMPLE to pieces. 1, or 0 if it makes no sense. */
int ring_sample(const unsigned char *record, struct ring_sample *sample);

#endif
