/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector as an agent of a Java VM: the environments of JVM TI by which the VM
 * reports its code, threads, objects and locks. Normal context, of a thread that the VM
 * knows.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_AGENT_H
#define ERTOOLS_COLLECTOR_VM_JAVA_AGENT_H

#include "share/types.h"

/* 1 if names of Java's methods are wanted (collect -j) and can be recorded. */
int java_agent_is_wanted(void);

/*
 * Begin to listen to a VM. jni: the calling thread's environment, or NULL: the VM does
 * not run yet. Call java_listen_start() first. 0; -EAGAIN: the VM has not started yet;
 * -EBUSY: we listen to a VM already; -EPERM: it refuses what is needed.
 */
int java_agent_begin(void *machine, void *jni);

/* 1 if we have environments in a VM. */
int java_agent_is_there(void);

/* The VM has ended, and its environments with it. */
void java_agent_forget(void);

/*
 * Undo java_agent_begin(), after java_listen_stop(). keep: a callback is still being
 * executed, so do not free what it may use.
 */
void java_agent_end(int keep);

#endif
