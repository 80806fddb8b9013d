/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that ends waits for its launcher to search its memory, so that lost blocks
 * of the heap are separated from those in use. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_HOLD_H
#define ERTOOLS_COLLECTOR_PRELOAD_HOLD_H

/* by_exit: the target called exit(), or returned from main(), which does. */
void hold_for_scan(int by_exit);

#endif
