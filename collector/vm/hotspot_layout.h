/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of HotSpot's structures, from libjvm.so. Normal context. */
#ifndef ERTOOLS_COLLECTOR_VM_HOTSPOT_LAYOUT_H
#define ERTOOLS_COLLECTOR_VM_HOTSPOT_LAYOUT_H

/*
 * Read the tables that libjvm.so exports for debuggers, and pass the layout to the
 * signal handlers (sig/hotspot.h), if that was not done yet. handle: of libjvm.so, from
 * dlopen(). 0; -ENOENT: the library has no such tables, or they lack something that is
 * needed.
 */
int hotspot_layout_read(void *handle);

/*
 * The same for what the names of interpreted methods need (sig/hotspot_method.h). Waits
 * until the launcher has created the file madecode.
 */
void hotspot_layout_read_methods(void *handle);

#endif
