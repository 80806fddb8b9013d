/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libc's headers promise that many pointers are not NULL. A target may break the
 * promise, and a hook tests for that, but the compiler would leave the test out.
 * Included before all else, by the command line, where hooks are compiled: it takes the
 * promise back.
 */
#ifndef ERTOOLS_COLLECTOR_LIBC_NULL_H
#define ERTOOLS_COLLECTOR_LIBC_NULL_H

/* Not <sys/cdefs.h>: before it, that would leave out what <stdio.h> has inline. */
#include <features.h>

#undef __nonnull
#define __nonnull(params)

#endif
