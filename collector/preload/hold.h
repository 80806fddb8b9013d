/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that ends waits here while the launcher searches its memory for pointers,
 * to find out which blocks of the heap are lost. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_HOLD_H
#define ERTOOLS_COLLECTOR_PRELOAD_HOLD_H

/* Wait for the scan. by_exit: the target called exit(), or returned from main(). */
void hold_for_scan(int by_exit);

#endif
