/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For targets that make functions at run time: the code of one and CALL(name, seconds),
 * which defines call_NAME(), a function that runs it for so long.
 */
#include <time.h>

/* A function: it counts its argument down to 0. */
static const unsigned char code[] = {
    0x55, 0x48, 0x89, 0xe5, /* push %rbp; mov %rsp,%rbp */
    0xff, 0xcf, 0x75, 0xfc, /* 1: dec %edi; jnz 1b */
    0x5d, 0xc3,             /* pop %rbp; ret */
};

static void
burn(void (*function)(unsigned), double seconds)
{
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end;)
        function(1000000);
}

#define CALL(name, seconds)                                           \
    __attribute__((noinline)) static void call_##name(void *function) \
    {                                                                 \
        burn((void (*)(unsigned))function, seconds);                  \
        __asm__ volatile("");                                         \
    }
