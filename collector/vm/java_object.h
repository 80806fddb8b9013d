/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of objects that a Java program allocates (collect -H): on average one per
 * JAVA_OBJECT_INTERVAL bytes, which stands for these bytes; and which of the sampled
 * objects were garbage-collected. Callbacks of the VM, on its threads.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_OBJECT_H
#define ERTOOLS_COLLECTOR_VM_JAVA_OBJECT_H

#include "share/types.h"

enum {
    JAVA_OBJECT_INTERVAL = 128 << 10,
    JAVA_OBJECT_DEFAULT = 512 << 10, /* what the VM uses if it is not told */
};

/*
 * 1 if objects are to be sampled, and there is a file for the samples, which is made if
 * needed.
 */
int java_object_is_wanted(void);

/* The callbacks that JVM TI describes, with its parameters. */
void java_object_sampled(void *env, void *jni, void *thread, void *object, void *class,
                         int64_t size);
void java_object_collected(void *env, int64_t tag);

#endif
