/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of libc's functions that wait. The libc function that a waiting thread
 * called is made the leaf of its stack, as it is in stacks of CPU time.
 */
#ifndef ERTOOLS_COLLECTOR_WAIT_WAIT_LEAF_H
#define ERTOOLS_COLLECTOR_WAIT_WAIT_LEAF_H

#include "share/types.h"

/* Look all these addresses up in libc itself. Normal context, once. Keeps errno. */
void wait_leaf_start(void);

/*
 * The address of the function that the hook of this name stands for; 0 = not known. Any
 * context.
 */
u64 wait_leaf(const char *hook);

#endif
