/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deals with signals as Go's runtime does, without Go: threads are born with all
 * signals blocked and open them by system calls; they are preempted by SIGURG, which
 * must come; handlers want to be on an alternate stack, one that is there or one of
 * their own. Prints how many were lost, and how many found themselves elsewhere.
 */
/* build: -O2 -g */
/* build: out=libgonote.so -shared -fPIC -DNOTE_ONLY */
/* build: name=lib -O2 -DNO_NOTE -L@D@ -Wl,-rpath,$ORIGIN,--no-as-needed -lgonote */
/* build: name=bare -O2 -DBARE -nostdlib -pie -fPIE -fno-stack-protector */
/* link: -lpthread */
#define _GNU_SOURCE

#ifndef NO_NOTE
__asm__(".pushsection .note.go.buildid,\"a\",@note\n"
        ".p2align 2\n"
        ".long 4, 4, 4\n"
        ".asciz \"Go\\0\"\n"
        ".asciz \"abc\"\n"
        ".popsection\n");
#endif

#if defined(BARE)
/* No libc, though a dynamic loader: the build's description as Go has it. */
__attribute__((used, aligned(16))) static char info[32] = "\xff Go buildinf:";

static long
call3(long number, long a, long b, long c)
{
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

void
_start(void)
{
    call3(1, 1, (long)"bare\n", 5);
    call3(231, info[0] ? 7 : 0, 0, 0);
}
#elif !defined(NOTE_ONLY)
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 400, THREADS = 2 };

static volatile unsigned long sink;
static volatile int stop;
static int seen[THREADS], elsewhere, tids[THREADS];
static __thread char *lo, *hi;
static __thread int self;

static void
set_mask(unsigned long mask)
{
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
}

static void
preempted(int signo, siginfo_t *info, void *context)
{
    char here;

    (void)signo;
    (void)info;
    (void)context;
    if (!lo)
        return; /* not a thread that is preempted */
    if (&here < lo || &here >= hi)
        elsewhere++;
    __atomic_store_n(&seen[self], 1, __ATOMIC_RELEASE);
}

/* The alternate stack that is there, or one of our own. */
static void
find_stack(int n)
{
    static char own[THREADS][32768];
    stack_t stack;

    syscall(SYS_sigaltstack, NULL, &stack);
    if (stack.ss_flags & SS_DISABLE) {
        stack = (stack_t){ .ss_sp = own[n], .ss_size = sizeof(own[n]) };
        syscall(SYS_sigaltstack, &stack, NULL);
    }
    lo = stack.ss_sp;
    hi = lo + stack.ss_size;
}

static void *
spin(void *arg)
{
    self = (int)(long)arg;
    find_stack(self);
    set_mask(0);
    __atomic_store_n(&tids[self], (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
    while (!stop)
        sink++;
    return NULL;
}

/* One after the other, each awaited for some seconds; how many came in a row. */
static int
preempt(int n)
{
    struct timespec pause = { 0, 200000 };
    int sent = 0;

    while (sent < ROUNDS) {
        __atomic_store_n(&seen[n], 0, __ATOMIC_SEQ_CST);
        syscall(SYS_tgkill, getpid(), tids[n], SIGURG);
        sent++;
        for (int i = 0; !__atomic_load_n(&seen[n], __ATOMIC_ACQUIRE); i++) {
            if (i == 30000)
                return sent - 1;
            nanosleep(&pause, NULL);
        }
    }
    return sent;
}

int
main(void)
{
    struct sigaction act;
    pthread_t threads[THREADS];
    int lost = 0;

    memset(&act, 0, sizeof(act));
    act.sa_sigaction = preempted;
    act.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&act.sa_mask);
    sigaction(SIGURG, &act, NULL);
    set_mask(~0ul);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, spin, (void *)i);
    set_mask(0);
    for (int i = 0; i < THREADS; i++) {
        while (!__atomic_load_n(&tids[i], __ATOMIC_ACQUIRE))
            usleep(1000);
        lost += ROUNDS - preempt(i);
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("lost %d, elsewhere %d\n", lost, elsewhere);
    return 5;
}
#endif
