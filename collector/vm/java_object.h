/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that a Java machine makes, sampled (collect -H): in the mean one for each
 * JAVA_OBJECT_INTERVAL bytes, which stands for what was made meanwhile; and which of
 * the sampled ones the machine has collected. Callbacks of the machine, on its threads.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_OBJECT_H
#define ERTOOLS_COLLECTOR_VM_JAVA_OBJECT_H

#include "share/types.h"

enum {
    JAVA_OBJECT_INTERVAL = 128 << 10,
};

/* 1 if they are to be sampled, and there is a file for them. */
int java_object_is_wanted(void);

/* The callbacks that JVM TI describes, with its parameters. */
void java_object_sampled(void *env, void *jni, void *thread, void *object, void *class,
                         int64_t size);
void java_object_collected(void *env, int64_t tag);

#endif
