/* SPDX-License-Identifier: Apache-2.0 */
/* The code that the kernel maps into each process. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_VDSO_H
#define ERTOOLS_COLLECTOR_PRELOAD_VDSO_H

#include "collector/sig/clock.h"

/* The vdso's clock_gettime(); NULL if there is no vdso (valgrind hides it). */
clock_function *vdso_clock(void);

#endif
