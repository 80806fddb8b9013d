/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of HotSpot's structures, from libjvm.so. Normal context. */
#ifndef ERTOOLS_COLLECTOR_VM_HOTSPOT_LAYOUT_H
#define ERTOOLS_COLLECTOR_VM_HOTSPOT_LAYOUT_H

/*
 * Read the tables that libjvm.so exports for debuggers, and pass the layout to the
 * signal handlers (sig/hotspot.h). handle: of libjvm.so, from dlopen(). names: read
 * also what the names of interpreted methods need. 0; -ENOENT: the library has no such
 * tables, or they lack something that is needed.
 */
int hotspot_layout_read(void *handle, int names);

#endif
