/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that ends waits here while the launcher searches its memory for pointers,
 * to find out which blocks of the heap are lost. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_HOLD_H
#define ERTOOLS_COLLECTOR_PRELOAD_HOLD_H

/*
 * Ask the launcher for the scan, once, and wait for it; return at once if there is no
 * launcher. by_exit: 1 = the target called exit(), or returned from main().
 */
void hold_for_scan(int by_exit);

#endif
