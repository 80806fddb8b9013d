/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and lines of methods, from JVM TI, for the time of one report. Normal context:
 * a callback of the VM, which frees its data when the callback returns.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_METHOD_H
#define ERTOOLS_COLLECTOR_VM_JAVA_METHOD_H

#include "collector/vm/jvmti.h"
#include "collector/vm/scratch.h"
#include "share/fmt.h"
#include "share/types.h"

enum {
    JAVA_METHODS = 4096, /* the most methods of one report */
};

struct java_method {
    void *id;
    const char *name; /* package.Class.method(types) */
    u32 source;       /* index into sources + 1, 0 = not known */
    u32 nlines;
    const struct jvmti_line *lines; /* in the VM's order, not always by index */
};

/* The methods of a report. All memory is from scratch. */
struct java_methods {
    void *env;
    struct scratch *scratch;
    struct java_method **table; /* hash table by id, with JAVA_METHODS places */
    u32 used;
    const char **sources;
    u32 nsources;
};

/* Begin a report. env: of JVM TI. 0 or -ENOMEM. */
int java_methods_open(struct java_methods *methods, void *env, struct scratch *scratch);

/*
 * The method with this jmethodID. NULL: the VM does not know it, there is no memory, or
 * there are too many.
 */
const struct java_method *java_method_find(struct java_methods *methods, void *id);

/*
 * Append the first type of a descriptor, as it is written in Java. Returns the rest of
 * the descriptor.
 */
const char *java_method_put_type(struct fmt *f, const char *descriptor);

/* The line of a bytecode index; 0 = not known. */
u32 java_method_line(const struct java_method *method, int64_t index);

#endif
