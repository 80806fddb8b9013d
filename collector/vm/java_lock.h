/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for monitors of a Java VM (collect -s): to enter a monitor that another thread
 * owns, or to be notified. Callbacks of the VM, on its threads.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_LOCK_H
#define ERTOOLS_COLLECTOR_VM_JAVA_LOCK_H

#include "share/types.h"

/* 1 if waits are recorded. */
int java_lock_is_wanted(void);

/* The callbacks that JVM TI describes, with its parameters. */
void java_lock_contended(void *env, void *jni, void *thread, void *object);
void java_lock_entered(void *env, void *jni, void *thread, void *object);
void java_lock_waits(void *env, void *jni, void *thread, void *object, int64_t ms);
void java_lock_waited(void *env, void *jni, void *thread, void *object,
                      unsigned char timed_out);

#endif
