/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of classes, threads and objects of a Java VM, by the numbers that other records
 * use for them. A name is recorded once. Normal context: callbacks of the VM.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_NAME_H
#define ERTOOLS_COLLECTOR_VM_JAVA_NAME_H

#include "collector/hook/trace.h"
#include "share/named.h"
#include "share/types.h"

/*
 * Get a JVM TI environment, in which the numbers of classes and objects are kept as
 * their tags. machine: the JavaVM. 0; -ENOENT: the VM grants no tags.
 */
int java_name_open(void *machine);

/* Forget the environment and return it; NULL = there is none. */
void *java_name_close(void);

/*
 * The number of a class, or of an object that is used as a lock; from 1 on, 0 = it
 * could not be recorded. Call these between trace_enter() and trace_leave(); the
 * parameters are local references of JNI.
 */
u32 java_name_class(struct trace_scope *s, void *class);
u32 java_name_object(struct trace_scope *s, void *jni, void *object);

/* The callback for a thread that begins, as JVM TI describes it. */
void java_name_thread(void *env, void *jni, void *thread);

/* Name all threads that exist. Not in a callback. */
void java_name_all_threads(void *env, void *jni);

/* The JVM TI environment that java_name_open() got; NULL = none. */
void *java_name_environment(void);

/*
 * Record the name of id; kind: enum er_named_kind. Call between trace_enter() and
 * trace_leave(). 0 or -ENOSPC.
 */
int java_name_put(struct trace_scope *s, u32 kind, u64 id, const char *name, u32 len);

#endif
