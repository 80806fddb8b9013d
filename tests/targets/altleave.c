/* SPDX-License-Identifier: Apache-2.0 */
/*
 * altleave HOW WHERE BYTES: calls HOW in a signal handler that runs on an alternate
 * stack of BYTES, or of what the kernel needs and 720 bytes; below lies memory that
 * nobody may touch. WHERE: main, thread, or fork (in the child). Prints what came of
 * it.
 */
/* build: -O2 -g -Wl,-z,now */
/* link: -lpthread */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

enum { PAGE = 4096, FORBIDDEN = 64 * PAGE, HANDLER = 720 };

static const char *how;
static size_t bytes;
static char *lo;
static volatile int on, status = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *const command[] = { "sh", "-c", "exit 7", NULL };

static int
is(const char *name)
{
    return !strcmp(how, name);
}

static void
leave_if_asked(void)
{
    if (is("_exit"))
        _exit(7);
    if (is("_Exit"))
        _Exit(7);
    if (is("quick_exit"))
        quick_exit(7);
    if (is("exit"))
        exit(7);
    if (is("execve"))
        execve("/bin/sh", command, environ);
    if (is("execvp"))
        execvp("sh", command);
    if (is("execfail"))
        status = execve("/nowhere", command, environ);
}

static void
make_child(pid_t pid)
{
    if (pid == 0 && is("vfork"))
        execve("/bin/sh", command, environ);
    if (pid == 0)
        _exit(7);
    waitpid(pid, (int *)&status, 0);
}

static void
handler(int signo)
{
    char here;
    pid_t pid;

    (void)signo;
    on = &here >= lo && &here < lo + bytes;
    leave_if_asked();
    if (is("system"))
        status = system("exit 7");
    if (is("fork"))
        make_child(fork());
    if (is("vfork"))
        make_child(vfork());
    if (is("spawn") && !posix_spawn(&pid, "/bin/sh", NULL, NULL, command, environ))
        waitpid(pid, (int *)&status, 0);
    if (is("write"))
        status = write(1, "written\n", 8) == 8;
    if (is("malloc"))
        free(malloc(100));
    if (is("lock")) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
}

static void *
run(void *arg)
{
    struct sigaction act = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
    size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
    stack_t stack;

    work(20);
    lo = mmap(NULL, room + FORBIDDEN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    lo += FORBIDDEN;
    mprotect(lo, room, PROT_READ | PROT_WRITE);
    stack = (stack_t){ .ss_sp = lo, .ss_size = bytes };
    if (sigaltstack(&stack, NULL))
        perror("sigaltstack");
    sigaction(SIGUSR1, &act, NULL);
    raise(SIGUSR1);
    printf("%s returned: on it %d status %x\n", how, on, (unsigned)status);
    fflush(stdout);
    return arg;
}

static void
run_child(void)
{
    int end = 0;
    pid_t pid = fork();

    if (pid == 0) {
        run(NULL);
        _exit(0);
    }
    waitpid(pid, &end, 0);
    printf("child %x\n", (unsigned)end);
}

int
main(int argc, char **argv)
{
    size_t least = getauxval(AT_MINSIGSTKSZ) + HANDLER;
    pthread_t thread;

    if (argc < 4)
        return 2;
    how = argv[1];
    bytes = (size_t)atol(argv[3]);
    if (bytes < least)
        bytes = least;
    if (!strcmp(argv[2], "fork")) {
        run_child();
    } else if (!strcmp(argv[2], "thread")) {
        pthread_create(&thread, NULL, run, NULL);
        pthread_join(thread, NULL);
    } else {
        run(NULL);
    }
    return 3;
}
