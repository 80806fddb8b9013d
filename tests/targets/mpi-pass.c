/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that has each function of mpi.def but is none that the collector knows, and
 * a program that calls each of them: all parameters arrive whole, and so do results.
 * Prints how many did.
 */
/* build: out=libmpi_pass.so -DLIBRARY -O1 -g -fPIC -shared -I@S@/../.. */
/* build: -O1 -g -I@S@/../.. -Wl,--no-as-needed -L@D@ -lmpi_pass */
#include <stdio.h>

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

#define GOOD_0 1
#define GOOD_1 (a0 == WORD(0))
#define GOOD_2 (GOOD_1 && a1 == WORD(1))
#define GOOD_3 (GOOD_2 && a2 == WORD(2))
#define GOOD_4 (GOOD_3 && a3 == WORD(3))
#define GOOD_5 (GOOD_4 && a4 == WORD(4))
#define GOOD_6 (GOOD_5 && a5 == WORD(5))
#define GOOD_7 (GOOD_6 && a6 == WORD(6))
#define GOOD_8 (GOOD_7 && a7 == WORD(7))
#define GOOD_9 (GOOD_8 && a8 == WORD(8))
#define GOOD_10 (GOOD_9 && a9 == WORD(9))
#define GOOD_11 (GOOD_10 && a10 == WORD(10))
#define GOOD_12 (GOOD_11 && a11 == WORD(11))
#define GOOD_13 (GOOD_12 && a12 == WORD(12))

#define GIVE_0
#define GIVE_1 WORD(0)
#define GIVE_2 GIVE_1, WORD(1)
#define GIVE_3 GIVE_2, WORD(2)
#define GIVE_4 GIVE_3, WORD(3)
#define GIVE_5 GIVE_4, WORD(4)
#define GIVE_6 GIVE_5, WORD(5)
#define GIVE_7 GIVE_6, WORD(6)
#define GIVE_8 GIVE_7, WORD(7)
#define GIVE_9 GIVE_8, WORD(8)
#define GIVE_10 GIVE_9, WORD(9)
#define GIVE_11 GIVE_10, WORD(10)
#define GIVE_12 GIVE_11, WORD(11)
#define GIVE_13 GIVE_12, WORD(12)

/* All bits are in use, and no two words of a call are equal. */
#define WORD(i) (long)(0x9e3779b97f4a7c15ul * ((i) + 1))

#ifdef LIBRARY

#define WRAP(call, function, count, recipe, at)   \
    int MPI_##function(NAMES_##count);            \
    int MPI_##function(NAMES_##count)             \
    {                                             \
        return GOOD_##count ? -7 - (count) : 0;   \
    }
#include "collector/mpi/mpi.def"

#else

#define WRAP(call, function, count, recipe, at) int MPI_##function(NAMES_##count);
#include "collector/mpi/mpi.def"
#undef WRAP

int
main(void)
{
    int good = 0, all = 0;

#define WRAP(call, function, count, recipe, at)                       \
    all++;                                                            \
    if (MPI_##function(GIVE_##count) == -7 - (count))                 \
        good++;                                                       \
    else                                                              \
        printf("MPI_%s\n", #function);
#include "collector/mpi/mpi.def"
    printf("%d of %d\n", good, all);
    return 0;
}

#endif
