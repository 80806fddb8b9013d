/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records the code that a Java VM compiles or generates, with names, lines and inlined
 * calls (preload/made.h). Callbacks of the VM, on its threads.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_CODE_H
#define ERTOOLS_COLLECTOR_VM_JAVA_CODE_H

#include "collector/vm/jvmti.h"
#include "share/types.h"

/*
 * Call with 1 before this thread has the VM report the code that it made before we
 * registered, and with 0 after that.
 */
void java_code_replay(int begin);

/* The callbacks that JVM TI describes, with its parameters. */
void java_code_compiled(void *env, void *method, int size, const void *code, int nmap,
                        const struct jvmti_address *map,
                        const struct jvmti_compile_record *info);
void java_code_unloaded(void *env, void *method, const void *code);
void java_code_generated(void *env, const char *name, const void *code, int size);

#endif
