/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that are hard to stand between: exceptions through two calls, more arguments
 * than registers, a function that is chosen at run time, two versions of one, an alias,
 * a variable, fork within a call, cancellation, a jump out of a signal's handler, calls
 * in a child of vfork, on another stack, and bound inside the library. Prints what they
 * returned, and "count NAME N" for each.
 */
/* build: out=libhard.so -O2 -g -shared -fPIC -DLIBRARY */
/* build: -O2 -g -L@D@ -Wl,-rpath,$ORIGIN,--no-as-needed -lhard */
/* link: -lpthread */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <stdexcept>

#include "hard-calls.h"

#ifdef LIBRARY

extern "C" {

int variable = 7;

long
outer(long (*f)(long), long n)
{
    return f(n) + 1;
}

long
inner(long (*f)(long), long n)
{
    return f(n) + 2;
}

static int
twice(int n)
{
    return 2 * n;
}

static int (*
choose())(int)
{
    return twice;
}

int chosen(int) __attribute__((ifunc("choose")));

int
named(int n)
{
    return n + 3;
}

int alias(int) __attribute__((alias("named")));

long
many(long a, long, long, long, long, long, long, long, long, long, long, long, long,
     long, long, long, long, long, long, long, long, long, long, long, long, long,
     long, long, long, long, long, long y, long z)
{
    return a * 10000 + y * 100 + z;
}

long
sum(int n, ...)
{
    va_list list;
    long all = 0;

    va_start(list, n);
    for (int i = 0; i < n; i++)
        all += va_arg(list, long);
    va_end(list);
    return all;
}

pid_t
split()
{
    return fork();
}

int
waits()
{
    return pause();
}

int
counted(int n)
{
    return n + 1;
}

static __attribute__((noinline)) int
inside(int n)
{
    return n * 3;
}

int
bound(int n)
{
    return inside(n) + inside(n + 1);
}
}

#else

extern "C" char *old_realpath(const char *, char *);
__asm__(".symver old_realpath, realpath@GLIBC_2.2.5");

static void
exceptions()
{
    int caught = 0;

    for (int i = 0; i < 1000; i++)
        try {
            outer([](long n) { return inner([](long k) -> long {
                throw std::runtime_error(std::to_string(k));
            }, n); }, i);
        } catch (const std::runtime_error &e) {
            caught += atoi(e.what()) == i;
        }
    printf("exceptions %d\ncount outer 1000\ncount inner 1000\n", caught);
}

static void
kinds()
{
    char *path = realpath("/usr/..", nullptr);
    int error, again;

    errno = 0;
    error = old_realpath("/usr/..", nullptr) ? 0 : errno;
    variable += chosen(4);
    again = alias(1) + named(1);
    printf("kinds %s %d %d %d %d\n", path, error == EINVAL, variable, again, bound(2));
    printf("many %ld\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                              18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                              32, 33));
    printf("sum %ld\n", sum(30, 1l, 2l, 3l, 4l, 5l, 6l, 7l, 8l, 9l, 10l, 11l, 12l, 13l,
                            14l, 15l, 16l, 17l, 18l, 19l, 20l, 21l, 22l, 23l, 24l, 25l,
                            26l, 27l, 28l, 29l, 30l));
    puts("count realpath 2\ncount chosen 1\ncount alias 1\ncount named 1\n"
         "count bound 1\ncount many 1\ncount sum 1");
    free(path);
}

static void
forks()
{
    int status = 0;
    pid_t child;

    fflush(stdout);
    child = split();
    if (child == 0)
        _exit(counted(4));
    waitpid(child, &status, 0);
    printf("forks %d\ncount split 1\n", WEXITSTATUS(status));
}

/* Its calls are its parent's. */
static void
vforks()
{
    static volatile int got;
    int status = 0;
    pid_t child = vfork();

    if (child == 0) {
        got = counted(1);
        _exit(got);
    }
    waitpid(child, &status, 0);
    printf("vforks %d %d\n", WEXITSTATUS(status), counted(2));
}

static void *
waiter(void *at)
{
    *(volatile int *)at = 1;
    return (void *)(long)waits();
}

static void
cancels()
{
    static volatile int ready;
    pthread_t thread;
    void *end = nullptr;

    pthread_create(&thread, nullptr, waiter, (void *)&ready);
    while (!ready)
        usleep(1000);
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, &end);
    printf("cancels %d\ncount waits 2\n", end == PTHREAD_CANCELED);
}

static sigjmp_buf where;

/* Out of a call that the signal interrupts, from a call of its own. */
static void
handler(int)
{
    outer([](long) -> long { siglongjmp(where, 1); }, 1);
}

static void
jumps()
{
    volatile int back = 0;

    signal(SIGALRM, handler);
    if (sigsetjmp(where, 1)) {
        back = 1;
    } else {
        ualarm(20000, 0);
        waits();
    }
    printf("jumps %d\ncount outer 1\n", back);
}

static ucontext_t here, there;
static char stack[65536];

static void
coroutine()
{
    outer([](long n) {
        swapcontext(&there, &here);
        return n + counted(3);
    }, 5);
}

static void
contexts()
{
    int n;

    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof(stack);
    there.uc_link = &here;
    makecontext(&there, coroutine, 0);
    swapcontext(&here, &there);
    n = counted(10);
    swapcontext(&here, &there);
    printf("contexts %d\ncount outer 1\ncount counted 4\n", n);
}

int
main()
{
    exceptions();
    kinds();
    forks();
    vforks();
    cancels();
    jumps();
    contexts();
}
#endif
