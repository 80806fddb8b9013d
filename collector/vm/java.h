/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way into a Java machine: whoever makes one asks for JNI_CreateJavaVM, and gets
 * ours, which calls the machine's and then asks it to tell what it compiles. Nothing of
 * it can be seen by the program: no environment variable, no option, no output.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_H
#define ERTOOLS_COLLECTOR_VM_JAVA_H

/*
 * What dlsym(handle, name) is to call instead of the real one, with the same arguments;
 * NULL for all names but that of JNI_CreateJavaVM.
 */
void *java_instead(void *handle, const char *name);

#endif
