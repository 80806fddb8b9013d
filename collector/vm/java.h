/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the collector attaches to a Java VM. A program that creates a VM looks up
 * JNI_CreateJavaVM by dlsym(), and gets our function, which calls the real one and then
 * has the VM report what it compiles. The program cannot see this: we use no
 * environment variable, no option, and no output.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_H
#define ERTOOLS_COLLECTOR_VM_JAVA_H

/*
 * The function that dlsym(handle, name) calls instead of the real dlsym(), with the
 * same arguments; NULL, which means the real dlsym(), for other names than
 * JNI_CreateJavaVM, and for RTLD_NEXT.
 */
void *java_instead(void *handle, const char *name);

#endif
