/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment as it stands while libc makes a child by itself (popen): with what an
 * exec hands down in it. Other threads may read it at any time, and go on doing so
 * afterwards. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_LEND_H
#define ERTOOLS_COLLECTOR_PRELOAD_LEND_H

/* Put it in place; one thread at a time. 1 = lend_take_back() must follow. */
int lend_environ(void);

void lend_take_back(void);

/* In a forked child, whose maker was perhaps in between. */
void lend_fork_child(void);

#endif
