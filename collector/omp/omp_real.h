/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real functions. A process may have more than one libgomp, since each Python
 * package may bring its own, so they are looked up for each caller: a team knows only
 * the threads of its own library. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_REAL_H
#define ERTOOLS_COLLECTOR_OMP_OMP_REAL_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

/* What the compiler makes of a region or a task, and what copies a task's data. */
typedef void (*omp_body)(void *);
typedef void (*omp_copy)(void *, void *);

/* The same of libomp: its thread's numbers come first, then what the compiler wants. */
typedef void (*kmp_body)(int *, int *, ...);
typedef int (*kmp_entry)(int, void *);

struct omp_real {
#define WRAP(type, name, params, need) type(*name) params;
#include "collector/omp/omp.def"
#undef WRAP
};

/*
 * The real functions of the runtime that the code at pc would call without us. offset:
 * in struct omp_real, of the function that it calls. Keeps errno.
 */
const struct omp_real *omp_real_of(const void *pc, size_t offset);

/* In a wrapper of a function: those that its caller would call. */
#define OMP_REAL(name) \
    (omp_real_of(__builtin_return_address(0), offsetof(struct omp_real, name)))

#endif
