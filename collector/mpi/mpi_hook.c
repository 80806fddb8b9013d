/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hooks themselves, two for each row of mpi.def: MPI_name and PMPI_name. A
 * macro makes them: rows differ in nothing but names and counts of parameters.
 */
#include <errno.h>

#include "collector/libc/real.h"
#include "collector/libc/resolve.h"
#include "collector/mpi/mpi_trace.h"

#define NAMES_0 void
#define NAMES_1 long a0
#define NAMES_2 NAMES_1, long a1
#define NAMES_3 NAMES_2, long a2
#define NAMES_4 NAMES_3, long a3
#define NAMES_5 NAMES_4, long a4
#define NAMES_6 NAMES_5, long a5
#define NAMES_7 NAMES_6, long a6
#define NAMES_8 NAMES_7, long a7
#define NAMES_9 NAMES_8, long a8
#define NAMES_10 NAMES_9, long a9
#define NAMES_11 NAMES_10, long a10
#define NAMES_12 NAMES_11, long a11
#define NAMES_13 NAMES_12, long a12

/*
 * The parameters as the elements of an array, which has one element if there are no
 * parameters.
 */
#define TAKEN_0 0
#define TAKEN_1 a0
#define TAKEN_2 TAKEN_1, a1
#define TAKEN_3 TAKEN_2, a2
#define TAKEN_4 TAKEN_3, a3
#define TAKEN_5 TAKEN_4, a4
#define TAKEN_6 TAKEN_5, a5
#define TAKEN_7 TAKEN_6, a6
#define TAKEN_8 TAKEN_7, a7
#define TAKEN_9 TAKEN_8, a8
#define TAKEN_10 TAKEN_9, a9
#define TAKEN_11 TAKEN_10, a10
#define TAKEN_12 TAKEN_11, a11
#define TAKEN_13 TAKEN_12, a12

#define GIVEN_0
#define GIVEN_1 a[0]
#define GIVEN_2 GIVEN_1, a[1]
#define GIVEN_3 GIVEN_2, a[2]
#define GIVEN_4 GIVEN_3, a[3]
#define GIVEN_5 GIVEN_4, a[4]
#define GIVEN_6 GIVEN_5, a[5]
#define GIVEN_7 GIVEN_6, a[6]
#define GIVEN_8 GIVEN_7, a[7]
#define GIVEN_9 GIVEN_8, a[8]
#define GIVEN_10 GIVEN_9, a[9]
#define GIVEN_11 GIVEN_10, a[10]
#define GIVEN_12 GIVEN_11, a[11]
#define GIVEN_13 GIVEN_12, a[12]

enum {
#define WRAP(call, function, count, recipe, at) ROW_##function,
#include "collector/mpi/mpi.def"
#undef WRAP
    ROWS,
};

enum {
#define ER_MPICALL(name, number, kind, mode, doc) MODE_##name = MPI_MODE_##mode,
#include "share/mpicalls.def"
#undef ER_MPICALL
};

#define IS_LARGE(name)                                      \
    (sizeof(name) > 3 && name[sizeof(name) - 3] == '_' &&   \
     name[sizeof(name) - 2] == 'c')

static const struct mpi_row rows[ROWS] = {
#define WRAP(call, function, count, recipe, at)                                 \
    [ROW_##function] = { &mpi_recipe_##recipe, MPICALL_##call, MPIKIND_##call, \
                         MODE_##call, (at), (count), IS_LARGE(#function) },
#include "collector/mpi/mpi.def"
#undef WRAP
};

static const char *const names[ROWS] = {
#define WRAP(call, function, count, recipe, at) [ROW_##function] = "PMPI_" #function,
#include "collector/mpi/mpi.def"
#undef WRAP
};

enum which {
    IS_PMPI,
    IS_MPI,
};

static void *found[ROWS][2];

/*
 * Called if there is no MPI library: MPI_Initialized() and MPI_Finalized() answer
 * false, all other functions return an error.
 */
static long
missing(void)
{
    enum { ERR_OTHER = 15 };

    return ERR_OTHER;
}

static long
answer_false(int *flag)
{
    *flag = 0;
    return 0;
}

static __attribute__((noinline)) void *
find_function(u32 row, enum which which)
{
    void *function = mpi_abi_find(names[row] + which);

    if (!function && (row == ROW_Initialized || row == ROW_Finalized))
        return (void *)answer_false;
    if (!function)
        return (void *)missing;
    __atomic_store_n(&found[row][which], function, __ATOMIC_RELAXED);
    return function;
}

static inline void *
real_of(u32 row, enum which which)
{
    void *function = __atomic_load_n(&found[row][which], __ATOMIC_RELAXED);

    return ER_LIKELY(function != NULL) ? function : find_function(row, which);
}

/*
 * Define a hook, which passes its arguments to the real function, and returns its
 * result.
 */
#define HOOK(prefix, which, function, count)                                      \
    long prefix##function(NAMES_##count);                                         \
    WRAPPER long prefix##function(NAMES_##count)                                  \
    {                                                                             \
        long a[] = { TAKEN_##count };                                             \
        long (*next)(NAMES_##count) = real_of(ROW_##function, which);             \
        struct mpi_call c;                                                        \
        long result;                                                              \
        u32 on = (u32)trace_is_on();                                              \
                                                                                  \
        (void)a;                                                                  \
        if (ER_LIKELY(on)) {                                                      \
            TRACE_CAPTURE(&c.start);                                              \
            on = (u32)mpi_trace_enter(&c, &rows[ROW_##function], a);              \
        }                                                                         \
        result = next(GIVEN_##count);                                             \
        if (ER_LIKELY(on))                                                        \
            mpi_trace_leave(&c, result);                                          \
        return result;                                                            \
    }

#define WRAP(call, function, count, recipe, at) \
    HOOK(MPI_, IS_MPI, function, count)         \
    HOOK(PMPI_, IS_PMPI, function, count)
#include "collector/mpi/mpi.def"
#undef WRAP

static void
started(void)
{
    if (resolve_is_late())
        mpi_trace_begin_late();
}

__attribute__((constructor)) static void
start(void)
{
    int saved = errno;

    trace_start((const void *)(uintptr_t)find_function, started);
    errno = saved;
}
