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

/* Offsets in bytes, ~0 = this version has no such member; list_at is an address. */
struct java_thread_layout {
    u64 list_at; /* ThreadsSMRSupport::_java_thread_list, 0 = not known */
    u32 list_length; /* ThreadsList */
    u32 list_threads;
    u32 thread_os; /* JavaThread; Thread in newer versions */
    u32 os_id;     /* OSThread: the kernel's id */
    u32 thread_anchor;
    u32 anchor_sp; /* JavaFrameAnchor */
    u32 anchor_pc;
    u32 anchor_fp;
    u32 stack_base;
    u32 stack_size;
    u32 pending; /* the monitor that it wants to enter */
    u32 waiting; /* and that it waits for */
    u32 owner_id;
    u32 lock_stack;
    u32 lock_top; /* LockStack */
    u32 lock_base;
    u32 monitor_owner; /* ObjectMonitor */
    u32 monitor_object;
    u32 monitor_locker;
};

/* The layout, which is copied. Once. */
void java_thread_set(const struct java_thread_layout *layout);

/*
 * The machine's structure of the calling thread, whose id of the kernel is tid and
 * whose JNI environment is jni; 0 where that is not known.
 */
u64 java_thread_find(const void *jni, u32 tid);

/* The kernel's id of the thread that a structure is of, 0 = it is of none. */
u32 java_thread_id(u64 thread);

/*
 * Where a walk is to begin so that the thread's innermost Java method is its leaf.
 * thread: the calling thread's structure. 0 or -ENOENT.
 */
int java_thread_start(u64 thread, struct walk_start *start);

/* The kernel's id of the thread that owns the monitor which `thread` asks for; or 0. */
u32 java_thread_owner(u64 thread);

#endif
