/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the collector knows of a thread. Made and freed by preload/thread.c in normal
 * context of that thread; used by its handlers. Other threads touch it only in normal
 * context, under guard_threads.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_THREAD_H
#define ERTOOLS_COLLECTOR_SIG_THREAD_H

#include <signal.h>

#include "collector/sig/space.h"
#include "collector/sig/trace_state.h"
#include "collector/sig/walk.h"
#include "collector/sig/wall_account.h"
#include "share/record.h"
#include "share/types.h"

/* A perf clock of one thread, and how its period varies (source/perf.c). */
struct perf_clock {
    int fd;      /* descriptor kept to vary the period, also in si_fd; -1 = closed */
    int number;  /* si_fd of its signals, also when closed; -1 = no perf clock */
    void *page;  /* mapping that keeps the event alive, or NULL */
    u64 id;      /* the kernel's id of the event */
    u64 period;  /* nominal period, ns */
    u32 every;   /* vary the period after so many hits; 0 = never */
    u32 hits;    /* hits since the period was varied */
    u32 phase;   /* state of the low-discrepancy sequence, in 2^-32 of a period */
    u32 turn;    /* number of the sweep: even forth, odd back */
    u32 random;  /* state of a xorshift generator, also without a perf clock */
    u64 current; /* the period now set, ns */
    u64 restarted; /* thread CPU time when it was set, ns */
    u32 owed;    /* hits that were lost, whose weight is added to later hits */
    u64 last_pc; /* where its last hit was */
    u64 last_ticks; /* ticks of its last hit */
};

/* A counter of one thread (source/counter.c). */
struct thread_counter {
    u32 index;  /* index of the counter on the control page */
    int number; /* si_fd of its signals; the descriptor is closed */
    void *page; /* the kernel's, and one of records if bytes is two pages; or NULL */
    u64 bytes;  /* length of that mapping */
    u32 physical; /* 1 = its samples have physical addresses */
};

/* CPU time in ns, by state. */
struct cpu_times {
    u64 user;
    u64 system;
};

/*
 * Time in the kernel of a thread with a perf clock. In ns, signed: hits may be ahead of
 * the kernel's account.
 */
struct kernel_time {
    int64_t kernel;   /* time not yet given to a hit */
    int64_t forgiven; /* time never to be given to a hit: <unattributed> */
    u64 user_told;    /* sum of weights of hits in user mode up to the last tick */
    u32 kept;         /* ticks since one found the thread in the kernel */
    u32 switches;     /* context switches up to the last tick */
    u32 faults;       /* page faults up to the last tick */
};

/* What a thread of a Java machine waits for (vm/java_lock.c). */
struct thread_java {
    u64 since; /* ticks, 0 = it does not wait */
    u32 object; /* number of the name of what it waits for */
    u32 holder; /* row of the thread that holds that, 0 = not known */
};

struct omp_state;

struct thread {
    u32 id; /* row in the file threads */
    u32 alone;   /* CTL_PAUSED where the target has paused this thread alone, else 0 */
    u32 named;   /* 1 = a call of ITT or NVTX has named it (collector/region) */
    u64 pointer; /* its thread pointer, which is also pthread_self() */
    u32 tid;
    u32 source; /* enum er_source_flag */
    int timer;  /* kernel's id of the CPU-time timer, -1 = none */
    struct walk *walk;
    struct chunk_writer profile;
    struct perf_clock perf;
    u64 python_state; /* sig/python.c: its PyThreadState, as far as is known */
    u64 python_none; /* the newest state when this thread was found to have none */
    u64 python_none_id; /* id of that state */
    u64 *python_keys;  /* PYTHON_FRAMES of them, for one reading at a time */
    struct python_stack *python_stack; /* two: of the last reading, and of this one */
    u32 python_turn;                   /* index of the last reading in it */
    u32 python_busy;   /* nesting depth of reads of its Python frames */
    char *code_buffer; /* CODE_BUFFER bytes: sig/code.h */
    u32 counters;            /* how many of counter[] run */
    u64 count_events;        /* hits of counters seen */
    u64 count_dropped;       /* those of them that were not recorded */
    u64 count_lost;          /* overflows that the kernel did not describe */
    u64 count_throttled;     /* times that the kernel stopped a counter for a while */
    struct cpu_times seen;   /* the kernel's account at the last timer hit */
    struct cpu_times due;    /* CPU time up to then, not yet given to a hit */
    struct kernel_time stretch;
    u32 skip;                /* without a perf clock: ticks until the next hit */
    struct cpu_times given;  /* sum of the weights recorded */
    struct cpu_times paused; /* weights of hits while recording was paused */
    u64 events;              /* hits seen */
    u64 dropped;             /* those of them that were not recorded */
    struct wall wall;        /* where its time goes; see wall.h */
    struct rec_thread *row;  /* its row in the mapped file threads, or NULL */
    struct cpu_times before; /* CPU time on the thread's clock from before an exec */
    u64 cpu_birth;           /* CPU time when sampling began, without `before`, ns */

    /* The target's own view of what the collector uses in this thread. */
    u32 blocked;     /* 1 = it has our signal blocked */
    u64 blocked_with; /* mask of signals blocked with ours at its birth; or 0 */
    u32 given_up;    /* 1 = it uses our signal itself, so it is not sampled */
    u32 held;        /* 1 = a signal that it blocks is kept for it: held_info */
    siginfo_t held_info;
    u32 alt_ours;    /* 1 = the alternate stack is ours */
    u32 alt_instead; /* 1 = ours replaces alt_told, the target's, which is too small */
    stack_t alt_told;
    void *block;     /* the mapping that holds this struct, the stack and the walk */
    u64 block_bytes;
    void *alt;       /* our alternate stack */
    u64 alt_bytes;
    char *own_stack; /* stack of preload/stack.c; NULL until needed */
    void *spare;     /* memory of stack_spare(); NULL until needed */
    u64 spare_bytes;
    u32 omp_level;   /* open parallel regions that it has begun */
    u32 omp_others;  /* open regions of omp/omp_old.c that are not recorded */
    void *omp_old;   /* innermost recorded region of omp/omp_old.c, or NULL */
    struct omp_state *omp; /* omp/omp_state.h; NULL until needed */
    /* Set with omp. Call in a guard. ends = 1: t ends. */
    void (*omp_close)(struct thread *t, int ends);
    struct thread *next; /* list of preload/thread.c */
    struct thread **link; /* the pointer in the list that points here */

    /* Members that few threads use come last, so most threads touch only one page. */
    struct chunk_writer overview;
    struct chunk_writer hwcounters;
    struct chunk_writer objects; /* used by vm/java_object.c */
    struct thread_java java;
    struct thread_counter counter[ER_COUNTERS];
    struct trace trace[TRACE_COUNT];
    struct trace region; /* region.own: struct region_thread of collector/region */
};

/*
 * This thread's struct, or NULL. Initial-exec TLS: reading it is one load. A vfork
 * child or a raw clone may share it with the thread that made it: see gate.h.
 */
extern __thread struct thread *thread_self;

/* 1 where the kernel lets programs read the thread pointer's register (AT_HWCAP2). */
extern u32 thread_reads_pointer;

/*
 * The current thread, for handlers. NULL also while the target uses the thread pointer
 * for something else.
 */
struct thread *thread_in_handler(void);

/*
 * 0 in a child that shares our memory but whose thread pointer points to zeros, as
 * sandboxes arrange it. There, errno and libc's other thread-local data cannot be used.
 */
static inline int
thread_has_words(void)
{
    return __builtin_thread_pointer() != NULL;
}

/*
 * 1 = the target uses alternate stacks: handlers with SA_ONSTACK in a thread without
 * one must run on the normal stack, as they would without us, not on ours.
 */
extern u32 thread_no_alt;

/*
 * 1 = Go's runtime is in the process: it sets alternate stacks by its own system calls,
 * but uses one that is set already. So each thread gets ours.
 */
extern u32 thread_alt_shared;

#endif
