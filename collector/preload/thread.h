/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The beginning and the end of threads. Normal context of the thread itself; each
 * function guards itself against our signals.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_THREAD_H
#define ERTOOLS_COLLECTOR_PRELOAD_THREAD_H

#include "collector/sig/thread.h"
#include "share/types.h"

/* Reserve row 0 of the file threads, which no thread has. Once, before any thread. */
void thread_start_rows(void);

/* What is known about a thread when it begins. */
struct thread_birth {
    u64 stack_lo; /* its stack, where lo is the lowest address; 0, 0 = not known */
    u64 stack_hi;
    void *start;  /* start function, or NULL */
    struct cpu_times startup; /* CPU time so far, since the last exec or -P */
    u32 has_startup;          /* 1 = startup is set; 0 = all that the CPU clock shows */
    u32 blocked;  /* 1 = it begins with our signal blocked in the target's view */
    u64 *mask;    /* mask of a thread stopped by -P, set to the new one; else NULL */
};

/*
 * Count threads that are being created. n = 1: this thread is about to create a thread;
 * -1: that thread has begun, or creating it has failed.
 */
void thread_expect(int n);

/*
 * Begin to record this thread. It is not recorded if the gate is shut or there is no
 * memory.
 */
void thread_begin(const struct thread_birth *birth);

/*
 * Two steps in a forked child: thread_leave_all() forgets the other threads, which do
 * not exist there; then, with a new experiment, thread_begin_child() records this
 * thread as the first one. *mask: the signal mask that the thread will get back; all
 * signals are blocked now.
 */
void thread_leave_all(void);
void thread_begin_child(u64 *mask);

/* 1: this thread is in a handler of the target that has interrupted a hook of ours. */
int thread_in_hook(void);

/* Pause or resume recording of one thread; pointer: its pthread_self(). */
void thread_pause(u64 pointer, int pause);

/*
 * preload/thread_traces.c: seal a thread's traces when it ends; renew them in a forked
 * child.
 */
void thread_seal_traces(struct thread *t);
void thread_renew_traces(struct thread *t);

/* Number of events of all kinds that a thread could not record for lack of space. */
u64 thread_dropped_of(const struct thread *t);

/*
 * Callback of collector/region: records which regions a thread is in when the program
 * ends. NULL while no thread has been in any.
 */
extern void (*thread_note_regions)(struct thread *t);

/*
 * End this thread's recording, if it is recorded: stop clocks, write residuals, seal
 * chunks, free memory.
 */
void thread_end(void);

/*
 * Stop recording this thread, which continues. mask: its signal mask. Returns the mask
 * that it should get. keep: 1 = a hook of ours is still on its stack.
 */
u64 thread_detach(u64 mask, int keep);

/*
 * Close threads that have ended unnoticed: collect attached while they were ending,
 * when the destructors of their keys had already run.
 */
void thread_reap(void);

/* 1: some thread was detached with keep. */
extern int thread_kept;

/*
 * The thread of ours that calls functions of a Java machine, by its pthread_self(); 0 =
 * there is none. Our hooks record nothing in it, unless thread_ours_speaks is 1.
 */
extern u64 thread_ours;
extern u32 thread_ours_speaks;

static inline int
thread_is_ours(void)
{
    return (u64)(uintptr_t)__builtin_thread_pointer() == thread_ours;
}

/* Call with 1 before this thread records something itself, and with 0 after that. */
static inline void
thread_speak(u32 on)
{
    if (thread_is_ours())
        thread_ours_speaks = on;
}

/* The row number of the thread with this kernel id, 0 = there is none. */
u32 thread_id_of(u32 tid);

/*
 * Copy the present name of thread t, which is running, into its row, unless the target
 * has named it by ITT or NVTX. The caller holds guard_threads.
 */
void thread_read_name(struct thread *t);

/* How many threads are recorded. */
u32 thread_count(void);

/*
 * Make the struct that stands for all threads that are not recorded themselves: it has
 * a row, but no kernel id and no clocks. All signals are blocked. NULL: no memory.
 */
struct thread *thread_make_stray(void);

/*
 * Call when the process ends, or calls exec: writes this thread's residuals; reads all
 * other threads' CPU clocks and names into their rows; records open regions and calls.
 * If the exec fails, recording goes on.
 */
void thread_close_accounts(void);

/* Record which regions are open, when recording ends before the program does. */
void thread_close_regions(void);

/* Stop the clocks of all threads for good; the gate is closed already. */
void thread_silence(void);

/*
 * no_timer: 1 = delete all CPU-time timers. no_vary: 1 = leave the periods of perf
 * clocks as they are from now on.
 */
void thread_limit(int no_timer, int no_vary);

/* The list of recorded threads, linked by thread.next; guarded by guard_threads. */
extern struct thread *thread_list;

/* Number of events dropped so far by all threads, ended ones included. */
u64 thread_dropped(void);

/*
 * Call when the target has set an alternate stack for the calling thread. If that is
 * too small for our handler on top of the target's, our stack is installed instead;
 * sigaltstack() still reports the target's.
 */
void thread_alt_replace(struct thread *t, const stack_t *target);

/*
 * Install our alternate stack in the calling thread. Does nothing if the target uses
 * alternate stacks (thread_no_alt), unless ours stands in for a small one
 * (alt_instead), or all threads get ours (thread_alt_shared).
 */
void thread_alt_install(struct thread *t);

/*
 * In a forked child that is not recorded: remove the collector from t, its only thread.
 * Returns 1 if the target has our signal blocked.
 */
u32 thread_leave_child(struct thread *t);

/*
 * The target reads our signal from a descriptor: stop using it in this thread. Does
 * nothing if system calls are restricted.
 */
void thread_suspend_signal(struct thread *t);

/*
 * Resume after thread_suspend_signal(), with another hit_signal. *mask: the thread's
 * signal mask; our signal is removed from it and noted as blocked only in the target's
 * view.
 */
void thread_resume_signal(struct thread *t, u64 *mask);

/* 1 if this thread is the only one that is recorded, and none is being created. */
int thread_is_alone(void);

#endif
