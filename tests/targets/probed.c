/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -fcf-protection=none */
/* build: name=o0 -O0 -fcf-protection=none */
/* link: -lpthread */
/*
 * usage: probed TURNS: calls functions whose first instructions are of all sorts, half
 * of them in another thread. Prints how often each was called: "NAME CALLS".
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 3 };

/* Nothing but a return, and nothing but a jump. */
__asm__(".text\n"
        ".type mark, @function\n"
        ".globl mark\n"
        "mark: .cfi_startproc\n ret\n .cfi_endproc\n"
        ".size mark, . - mark\n"
        ".type leap, @function\n"
        ".globl leap\n"
        ".p2align 4\n"
        "leap: .cfi_startproc\n jmp landed\n .cfi_endproc\n"
        ".size leap, . - leap\n"
        ".p2align 5\n");
void mark(int i);
int leap(int i);
int landed(int i);

__attribute__((noinline, used)) int
landed(int i)
{
    __asm__ volatile("" : "+r"(i));
    return i + 1;
}

__attribute__((noinline)) int
deep(int n)
{
    int r = 0;

    mark(n);
    if (n > 1)
        r = deep(n - 1);
    __asm__ volatile("" : "+r"(r));
    return r + 1;
}

__attribute__((noinline)) int
outer(int turns)
{
    int sum = 0;

    for (int i = 0; i < turns; i++) {
        sum += deep(DEPTH) + leap(i);
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

static void *
other(void *turns)
{
    volatile int sum = outer(*(int *)turns);

    (void)sum;
    return NULL;
}

int
main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 0, half = turns / 2, rest = turns - half;
    pthread_t t;

    if (pthread_create(&t, NULL, other, &half))
        return 1;
    other(&rest);
    pthread_join(t, NULL);
    printf("outer 2\ndeep %d\nmark %d\nleap %d\n", DEPTH * turns, DEPTH * turns, turns);
    return 0;
}
