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

/* Has this file the name of a runtime? */
int omp_is_runtime(const char *path);

extern const char *omp_tool_found __attribute__((visibility("hidden")));

/*
 * NULL, or why nothing is to be recorded: the program has a tool for OpenMP (OMPT) of
 * its own, which would see our functions in place of the program's. Known from when
 * recording begins, or from the first call of a runtime that is loaded later.
 */
static inline const char *
omp_other_tool(void)
{
    return __atomic_load_n(&omp_tool_found, __ATOMIC_RELAXED);
}

/* The same, looked for now, in a process that has a runtime that serves such tools. */
const char *omp_find_tool(void);

/* A runtime was found. Normal context; keeps errno. */
void omp_look_for_tool(const struct omp_real *runtime);

/*
 * In a wrapper: leave the call to the runtime where there is such a tool, as a jump, so
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

/* When recording begins: is there such a tool? */
void omp_real_begin(void);

/* In a wrapper of a function: those that its caller would call. */
#define OMP_REAL(name) \
    (omp_real_of(__builtin_return_address(0), offsetof(struct omp_real, name)))

#endif
