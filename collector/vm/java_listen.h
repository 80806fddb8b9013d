/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which events of a Java VM reach us. The VM calls the functions that are registered
 * here, which pass the event on while we listen. After java_listen_stop() none of them
 * uses the experiment, though the VM may still call them. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_LISTEN_H
#define ERTOOLS_COLLECTOR_VM_JAVA_LISTEN_H

#include "collector/vm/jvmti.h"
#include "share/types.h"

/* Call before a VM is asked for events. */
void java_listen_start(void);

/*
 * Ignore all events from now on, and wait until no callback is being executed, at most
 * some seconds. 0, or -EBUSY: one still is.
 */
int java_listen_stop(void);

/* 1 = events are passed on. */
int java_listen_is_on(void);

/*
 * Register the functions for code, threads and objects; or those for monitors. 0, or
 * JVM TI's error.
 */
int java_listen_register(void *env);
int java_listen_register_locks(void *env);

/* Have the VM report an event, or stop that. 0, or JVM TI's error. */
int java_listen_enable(void *env, enum jvmti_event event);
void java_listen_disable(void *env);

#endif
