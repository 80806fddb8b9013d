/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real functions of OpenMP runtimes. A process may have more than one libgomp,
 * since each Python package may bring its own. A team knows only the threads of its own
 * library, so the functions are looked up for each caller. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_REAL_H
#define ERTOOLS_COLLECTOR_OMP_OMP_REAL_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

/*
 * Functions that the compiler generates: the body of a region or task, and one that
 * copies a task's data.
 */
typedef void (*omp_body)(void *);
typedef void (*omp_copy)(void *, void *);

/*
 * Functions that the compiler generates for libomp: first the thread's numbers, then
 * arguments that the compiler chooses.
 */
typedef void (*kmp_body)(int *, int *, ...);
typedef int (*kmp_entry)(int, void *);

struct omp_real {
#define WRAP(type, name, params, need) type(*name) params;
#include "collector/omp/omp.def"
#undef WRAP
};

/*
 * The runtime whose functions the code at pc would call without us. offset: of the
 * called function in struct omp_real. Keeps errno.
 */
const struct omp_real *omp_real_of(const void *pc, size_t offset);

/* Is this the file name of an OpenMP runtime? */
int omp_is_runtime(const char *path);

extern const char *omp_tool_found __attribute__((visibility("hidden")));

/*
 * NULL, or the reason why nothing is recorded: the program has an OpenMP tool (OMPT) of
 * its own, which would see our functions instead of the program's. This is known when
 * recording begins, or from the first call of a runtime that is loaded later.
 */
static inline const char *
omp_other_tool(void)
{
    return __atomic_load_n(&omp_tool_found, __ATOMIC_RELAXED);
}

/*
 * Look for the program's own tool now; returns as omp_other_tool(). Call only in a
 * process with a runtime that supports OMPT.
 */
const char *omp_find_tool(void);

/*
 * Call when a runtime was found: look for the program's own tool, if none is known.
 * Keeps errno.
 */
void omp_check_for_tool(const struct omp_real *runtime);

/*
 * In a wrapper: if the program has its own tool, jump to the runtime's function, so
 * that the tool sees the program's code as the caller.
 */
#define OMP_LEAVE_TO_TOOL(call)                      \
    do {                                             \
        if (ER_UNLIKELY(omp_other_tool() != NULL)) { \
            call;                                    \
            return;                                  \
        }                                            \
    } while (0)

#define OMP_LEAVE_TO_TOOL_ASK(call)                \
    do {                                           \
        if (ER_UNLIKELY(omp_other_tool() != NULL)) \
            return call;                           \
    } while (0)

/* Call when recording begins: look for the program's own tool. */
void omp_real_begin(void);

/* In a wrapper: the runtime that its caller would call. */
#define OMP_REAL(name) \
    (omp_real_of(__builtin_return_address(0), offsetof(struct omp_real, name)))

#endif
