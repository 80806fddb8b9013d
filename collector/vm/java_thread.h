/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of a Java VM, read from HotSpot's structures: where a thread's innermost Java
 * frame is, and which thread owns a monitor. If the VM exports no layout, nothing is
 * known. Normal context: callbacks of the VM.
 *
 * Memory of another thread may be freed while it is read. All loads may fail; the owner
 * is unknown if its thread has ended.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_THREAD_H
#define ERTOOLS_COLLECTOR_VM_JAVA_THREAD_H

#include "collector/sig/walk.h"
#include "share/types.h"

/* Offsets in bytes, ~0 = this version has no such member; *_at are addresses. */
struct java_thread_layout {
    u64 list_at;  /* ThreadsSMRSupport::_java_thread_list, 0 = not known */
    u64 count_at; /* Threads::_number_of_threads, 0 = not known */
    u32 list_length; /* from here on in ThreadsList */
    u32 list_threads;
    u32 thread_os; /* in JavaThread; in Thread in newer versions */
    u32 os_id;     /* in OSThread: the kernel's id */
    u32 thread_anchor;
    u32 anchor_sp; /* in JavaFrameAnchor */
    u32 anchor_pc;
    u32 anchor_fp;
    u32 stack_base;
    u32 stack_size;
    u32 pending; /* the monitor that the thread wants to enter */
    u32 waiting; /* the monitor in whose wait() it is */
    u32 owner_id;
    u32 lock_stack;
    u32 lock_top; /* in LockStack */
    u32 lock_base;
    u32 monitor_owner; /* in ObjectMonitor */
    u32 monitor_object;
    u32 monitor_locker;
};

/* Set the layout, which is copied. Call it once. */
void java_thread_set(const struct java_thread_layout *layout);

/* How many threads the VM has, including some of its own. */
u32 java_thread_count(void);

/*
 * The VM's structure of the calling thread, which has the kernel id tid and the JNI
 * environment jni; 0 if it is not known.
 */
u64 java_thread_find(const void *jni, u32 tid);

/*
 * The kernel's id of the thread with this structure, 0 = it is not a thread's
 * structure.
 */
u32 java_thread_id(u64 thread);

/*
 * Set the start of a walk whose leaf is the thread's innermost Java method. thread: the
 * calling thread's structure. 0 or -ENOENT.
 */
int java_thread_start(u64 thread, struct walk_start *start);

/*
 * The kernel's id of the thread that owns the monitor for which `thread` waits; or 0.
 */
u32 java_thread_owner(u64 thread);

#endif
