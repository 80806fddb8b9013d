/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The destructor of a key of thread-specific data, by which the end of a thread is
 * noticed. Normal context of the thread.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_THREAD_KEY_H
#define ERTOOLS_COLLECTOR_PRELOAD_THREAD_KEY_H

/* Create the key. May be called again; normal context of any thread. */
void thread_key_start(void);

/* Have thread_end() called when this thread ends, after the target's destructors. */
void thread_key_set(void);

/*
 * As thread_key_set(), for a thread that was stopped at any point: only if that needs
 * no malloc() and no other thread holds the lock.
 */
void thread_key_set_stopped(void);

/*
 * The target needs a key, and none is left: delete ours. 1 if ours was deleted. From
 * then on, we notice the end of a thread later, as of threads that end without libc.
 */
int thread_key_delete(void);

#endif
