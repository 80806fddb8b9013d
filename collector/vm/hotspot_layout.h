/* SPDX-License-Identifier: Apache-2.0 */
/* Where HotSpot keeps its code, as libjvm.so says it. Normal context. */
#ifndef ERTOOLS_COLLECTOR_VM_HOTSPOT_LAYOUT_H
#define ERTOOLS_COLLECTOR_VM_HOTSPOT_LAYOUT_H

/*
 * Read the tables that the library exports for debuggers, and tell the handlers
 * (sig/hotspot.h). handle: of libjvm.so, as dlopen() gave it. 0; -ENOENT where it has
 * no such tables, or something that is needed is not in them. names: methods that are
 * interpreted are to be told, too.
 */
int hotspot_layout_read(void *handle, int names);

#endif
