/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads coming and going. Normal context of the thread itself; each function guards
 * itself against our signals.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_THREAD_H
#define ERTOOLS_COLLECTOR_PRELOAD_THREAD_H

#include "collector/sig/thread.h"
#include "share/types.h"

/* Row 0 of the file threads is nobody's. Once, before the first thread. */
void thread_start_rows(void);

/* What is known of a thread as it begins. */
struct thread_birth {
    u64 stack_lo; /* its stack, as far down as it may grow; 0, 0 = not known */
    u64 stack_hi;
    void *start;  /* start function, or NULL */
    struct cpu_times startup; /* CPU time until now, if the thread's clock runs from */
    u32 has_startup;          /* before an exec: then 1 */
    u32 blocked;  /* born with our signal blocked as the target sees it */
    u64 *mask;    /* of one that was stopped: what it had, and is to go on with */
};

/* n = 1: this thread is about to make one; -1: that has begun, or was not made. */
void thread_expect(int n);

/* This thread begins to be recorded. Without memory it stays unrecorded. */
void thread_begin(const struct thread_birth *birth);

/*
 * In a forked child: the other threads are gone; then, with a new experiment, this one
 * goes on as its first thread, or begins to be recorded. *mask: of the signals that it
 * will go on with; all are blocked now.
 */
void thread_leave_all(void);
void thread_begin_child(u64 *mask);

/* This thread is in the signal handler of a target that interrupted a hook of ours. */
int thread_in_hook(void);

/* Record no events of one thread, which the target knows by this pointer; or again. */
void thread_pause(u64 pointer, int pause);

/* preload/thread_traces.c: as a thread ends; in a forked child. */
void thread_seal_traces(struct thread *t);
void thread_renew_traces(struct thread *t);

/* Events of all kinds that a thread could not record for want of room. */
u64 thread_dropped_of(const struct thread *t);

/*
 * What says which regions a thread is in, as its program ends; NULL as long as no
 * thread has any (collector/region).
 */
extern void (*thread_note_regions)(struct thread *t);

/* It ends: clocks off, account closed, chunks sealed, memory given back. */
void thread_end(void);

/*
 * It is recorded no longer, and goes on. mask: of its signals, as it was; returns what
 * it is to be. keep: a hook of ours is still on its stack.
 */
u64 thread_detach(u64 mask, int keep);

/*
 * Put away those that have gone without a word: a thread that was stopped and begun
 * when its destructors had run already.
 */
void thread_reap(void);

/* 1: some thread was detached with keep. */
extern int thread_kept;

/* The row of the thread with this id of the kernel's, 0 = there is none. */
u32 thread_id_of(u32 tid);

/* t has a row, and runs: what it is called now goes there. guard_threads is held. */
void thread_read_name(struct thread *t);

/* How many threads are recorded. */
u32 thread_count(void);

/*
 * One more that stands for threads which are not recorded themselves: it has a row, no
 * kernel's id and no clocks. All signals are blocked. NULL without memory.
 */
struct thread *thread_make_stray(void);

/*
 * The process ends, or leaves its image: close this thread's account and look at all
 * others' CPU clocks, so that their rows have what they used. Recording goes on if the
 * process does.
 */
void thread_close_accounts(void);

/* Say which regions are open: recording ends before the program does. */
void thread_close_regions(void);

/* The clocks of all threads stop for good; the gate is closed already. */
void thread_silence(void);

/* From now on no thread has a CPU-time timer, or varies its perf clock's period. */
void thread_limit(int no_timer, int no_vary);

/* All that are recorded, by thread.next; while guard_threads is held. */
extern struct thread *thread_list;

/* Records dropped so far by all threads. */
u64 thread_dropped(void);

/*
 * The target has given the calling thread an alternate stack: if that is too small for
 * our handler on top of its own, ours takes its place; the target still reads its own.
 */
void thread_alt_replace(struct thread *t, const stack_t *target);

/* Install our alternate stack in the calling thread. */
void thread_alt_install(struct thread *t);

/*
 * t was the thread that forked, and this is its child: nothing of the collector stays.
 * Returns 1 if the target has our signal blocked.
 */
u32 thread_leave_child(struct thread *t);

/* The target reads our signal from a descriptor: this thread leaves it to that. */
void thread_give_up_signal(struct thread *t);

/*
 * It had given up, and our signal is another one now, handled by us: go on. *mask: what
 * the thread has blocked, to go on with; our signal becomes a matter of view in it.
 */
void thread_take_up_signal(struct thread *t, u64 *mask);

/* 1 if this thread is the only one that is recorded, or is going to be. */
int thread_is_alone(void);

#endif
