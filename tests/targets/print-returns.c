/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Works in a signal's handler and in a coroutine: the C library's code that these
 * return to begins exactly where they return.
 */
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t outside, inside;
static volatile long count;

__attribute__((noinline)) static void
work(void)
{
    for (long i = 0; i < 20000; i++)
        count++;
}

static void
coroutine(void)
{
    for (;;) {
        work();
        swapcontext(&inside, &outside);
    }
}

static void
handler(int signal)
{
    (void)signal;
    work();
    count++;
}

int
main(void)
{
    const size_t size = 65536;

    getcontext(&inside);
    inside.uc_stack.ss_sp = malloc(size);
    inside.uc_stack.ss_size = size;
    inside.uc_link = &outside;
    makecontext(&inside, coroutine, 0);
    signal(SIGPROF, handler);
    for (int i = 0; i < 4000; i++) {
        swapcontext(&outside, &inside);
        raise(SIGPROF);
    }
    return 0;
}
