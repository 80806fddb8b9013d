/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kids HOW [PROGRAM ARGUMENT...]: makes a child in an unusual way, waits for it. Both
 * work for a while; the parent allocates 500 blocks of 30001 bytes, the child 500 of
 * 30002, then executes PROGRAM, if there is one, or ends by exit(). HOW:
 *
 *   fork      by a system-call instruction of its own
 *   mute      the same; it works, and ends by such an instruction, too
 *   clone     as fork, with a stack of its own, as clone(2)
 *   vfork     the same, sharing memory until the child's exec or end: it only works
 *   user      having become another user
 *   root DIR  having DIR for its root
 *   pid       into another PID namespace
 *   proc      the same, with a /proc of its own
 *
 * Prints "done", or "not permitted" with status 3.
 */
/* build: -O1 -g */
#define _GNU_SOURCE
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 500, BYTES = 30001, STACK = 1 << 18 };

static volatile unsigned long sink;
static char **program;
static char stack[STACK] __attribute__((aligned(64)));

static void
work(int bytes)
{
    for (int i = 0; i < BLOCKS; i++) {
        for (int k = 0; k < 100000; k++)
            sink += (unsigned long)k;
        if (bytes)
            free(malloc((size_t)bytes));
    }
}

static void
child(void)
{
    work(BYTES + 1);
    if (*program)
        execvp(*program, program);
    exit(0);
}

/* A system call by an instruction that stands here. */
static inline __attribute__((always_inline)) long
call(long number, long first, long second)
{
    long result;
    register long r10 __asm__("r10") = 0;
    register long r8 __asm__("r8") = 0;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(0), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
}

/* The child has nothing on its stack, so it calls child() at once. */
static long
clone_away(void)
{
    long result;
    register long r10 __asm__("r10") = 0;
    register long r8 __asm__("r8") = 0;

    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "call *%[child]\n\t"
                     "1:"
                     : "=a"(result)
                     : "a"(SYS_clone), "D"(SIGCHLD), "S"(stack + STACK), "d"(0),
                       "r"(r10), "r"(r8), [child] "b"(child)
                     : "rcx", "r11", "memory");
    return result;
}

static int
prepare(const char *how, const char *dir)
{
    if (!strcmp(how, "user"))
        return setgroups(0, NULL) || setgid(65534) || setuid(65534);
    if (!strcmp(how, "root"))
        return chroot(dir) || chdir("/");
    if (!strcmp(how, "pid"))
        return unshare(CLONE_NEWPID);
    if (!strcmp(how, "proc"))
        return unshare(CLONE_NEWPID | CLONE_NEWNS) ||
               mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
    return 0;
}

int
main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "fork";
    long pid;

    program = argv + (argc < 2 ? argc : strcmp(how, "root") ? 2 : 3);
    if (prepare(how, argc > 2 ? argv[2] : "/")) {
        puts("not permitted");
        return 3;
    }
    if (!strcmp(how, "clone")) {
        pid = clone_away();
    } else if (!strcmp(how, "vfork")) {
        pid = call(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, (long)(stack + STACK));
        if (!pid) {
            for (int i = 0; i < 100000; i++)
                sink += (unsigned long)i;
            call(SYS_exit_group, 0, 0);
        }
    } else if (!strcmp(how, "mute")) {
        pid = call(SYS_fork, 0, 0);
        if (!pid) {
            for (int i = 0; i < 5; i++)
                work(0);
            call(SYS_exit_group, 0, 0);
        }
    } else if (!strcmp(how, "fork")) {
        pid = call(SYS_fork, 0, 0);
        if (!pid)
            child();
    } else {
        pid = fork();
        if (!pid && !strcmp(how, "proc"))
            (void)mount("proc", "/proc", "proc", 0, NULL);
        if (!pid)
            child();
    }
    work(BYTES);
    waitpid((pid_t)pid, NULL, 0);
    puts("done");
    return 0;
}
