/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way into a Java machine: whoever makes one asks for JNI_CreateJavaVM. Normal
 * context.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_H
#define ERTOOLS_COLLECTOR_VM_JAVA_H

/*
 * What dlsym(handle, name) is to call instead of the real one, with the same arguments;
 * NULL for all names but that of JNI_CreateJavaVM.
 */
void *java_instead(void *handle, const char *name);

#endif
