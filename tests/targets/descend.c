/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Becomes another program, or has a child that does, in the way named.
 *
 *   descend FORM [FORM...]    by the first form, runs itself with the others
 *   descend                   the last one: burns CPU time and prints its environment
 *
 * The forms are the functions' names; `table` below has those with another meaning. The
 * status of the last one is 7, and all on the way hand it on.
 */
/* build: -O2 -g -fno-inline */
/* build: name=static -O2 -g -fno-inline -static */
/* link: -lpthread -lutil */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef MS
#define MS 60
#endif

static char **next; /* the arguments of the next one, its name first */
static char *self;
static char command[4096];

__attribute__((noipa)) static unsigned long
burn(void)
{
    struct timespec ts;
    unsigned long x = 1;
    long end = 0, now;

    do {
        for (int i = 0; i < 20000; i++)
            x = x * 6364136223846793005u + (x >> 7);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
        now = ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
        end = end ? end : now + MS;
    } while (now < end);
    return x;
}

static int
hand_on(pid_t pid)
{
    int status;

    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 98;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static void
die(const char *what)
{
    perror(what);
    _exit(99);
}

static int by_execve(void) { execve(self, next, environ); return 99; }
static int by_execv(void) { execv(self, next); return 99; }
static int by_execvp(void) { execvp("descend", next); return 99; }
static int by_execvpe(void) { execvpe("descend", next, environ); return 99; }
static int by_execl(void) { execl(self, "descend", next[1], next[2], NULL); return 99; }
static int by_execlp(void) { execlp("descend", "descend", next[1], NULL); return 99; }

static int
by_execle(void)
{
    execle(self, "descend", next[1], NULL, environ);
    return 99;
}

static int
by_fexecve(void)
{
    fexecve(open(self, O_RDONLY | O_CLOEXEC), next, environ);
    return 99;
}

static int
by_execveat(void)
{
    execveat(AT_FDCWD, self, next, environ, 0);
    return 99;
}

static int
bare(void)
{
    static char *none[] = { NULL };

    execve(self, next, none);
    return 99;
}

static int
no_environment(void)
{
    execve(self, next, NULL);
    return 99;
}

static int
own_preload(void)
{
    char *env[] = { (char[]){ "LD_PRELOAD=libm.so.6" }, (char[]){ "A=1" }, NULL };

    execve(self, next, env);
    return 99;
}

static int
by_clearenv(void)
{
    clearenv();
    execv(self, next);
    return 99;
}

static int
by_fork(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        execv(self, next);
        die("execv");
    }
    return hand_on(pid);
}

/* The child goes on as this program. */
static int
fork_only(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        burn();
        puts("forked");
        exit(7);
    }
    return hand_on(pid);
}

static int
by_vfork(void)
{
    pid_t pid = vfork();

    if (pid == 0) {
        execv(self, next);
        _exit(99);
    }
    return hand_on(pid);
}

/* Its child lives on until all is printed, or nobody could see what it prints. */
static int
double_fork(void)
{
    int ends[2];
    pid_t pid;
    char byte;

    if (pipe(ends) < 0)
        die("pipe");
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        setsid();
        if (fork())
            _exit(7);
        execv(self, next);
        die("execv");
    }
    close(ends[1]);
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
        ;
    return hand_on(pid);
}

static int
by_posix_spawn(void)
{
    pid_t pid;

    return posix_spawn(&pid, self, NULL, NULL, next, environ) ? 97 : hand_on(pid);
}

static int
by_posix_spawnp(void)
{
    pid_t pid;

    return posix_spawnp(&pid, "descend", NULL, NULL, next, environ) ? 97 : hand_on(pid);
}

static int
by_system(void)
{
    int status = system(command);

    return WIFEXITED(status) ? WEXITSTATUS(status) : 96;
}

static int
by_popen(void)
{
    FILE *pipe = popen(command, "r");
    char line[4096];
    int status;

    while (fgets(line, sizeof(line), pipe))
        fputs(line, stdout);
    status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 96;
}

static int
in_clone(void *arg)
{
    (void)arg;
    execv(self, next);
    return 99;
}

static int
by_clone(void)
{
    char *stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    return hand_on(clone(in_clone, stack + (1 << 20), SIGCHLD, NULL));
}

static int
clone_vfork(void)
{
    char *stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    return hand_on(
        clone(in_clone, stack + (1 << 20), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
}

static int
in_child(void *arg)
{
    (void)arg;
    burn();
    puts("cloned");
    fflush(stdout);
    return 7;
}

static int
clone_only(void)
{
    char *stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    return hand_on(clone(in_child, stack + (1 << 20), SIGCHLD, NULL));
}

static void *
run_exec(void *arg)
{
    execv(self, next);
    return arg;
}

static int
in_thread(void)
{
    pthread_t id;

    pthread_create(&id, NULL, run_exec, NULL);
    pthread_join(id, NULL);
    return 99;
}

static void *
run_nothing(void *arg)
{
    return arg;
}

static volatile int busy = 1;

static void *
allocate(void *arg)
{
    while (busy)
        free(malloc(64));
    return arg;
}

static void *
run_fork(void *arg)
{
    *(int *)arg = fork_only();
    return NULL;
}

/* A thread forks while others allocate; its child makes threads of its own. */
static int
thread_fork(void)
{
    pthread_t id[3];
    int status = 95;

    for (int i = 1; i < 3; i++)
        pthread_create(&id[i], NULL, allocate, NULL);
    for (int i = 0; i < 5 && (i == 0 || status == 7); i++) {
        pthread_create(&id[0], NULL, run_fork, &status);
        pthread_join(id[0], NULL);
    }
    busy = 0;
    for (int i = 1; i < 3; i++)
        pthread_join(id[i], NULL);
    return status;
}

static int
failed(void)
{
    execl("/nowhere", "nowhere", NULL);
    burn();
    return errno == ENOENT ? 7 : 94;
}

/* In a vfork child, whose memory is its parent's. */
static int
failed_vfork(void)
{
    pid_t pid = vfork();

    if (pid == 0) {
        execl("/nowhere", "nowhere", NULL);
        _exit(7);
    }
    burn();
    return hand_on(pid);
}

#include "descend-odd.h"

static int last(void);

/* Begins when its creator may have ended. */
static int
late(void)
{
    usleep(600000);
    return last();
}

#define BY(name) { #name, by_##name }
#define AS(name) { #name, name }

static const struct {
    const char *name;
    int (*run)(void);
} table[] = {
    BY(execve), BY(execv), BY(execvp), BY(execvpe), BY(execl), BY(execlp), BY(execle),
    BY(fexecve), BY(execveat), BY(clearenv), BY(fork), BY(vfork), BY(posix_spawn),
    BY(posix_spawnp), BY(system), BY(popen), BY(clone), AS(bare), AS(no_environment),
    AS(own_preload), AS(fork_only), AS(double_fork), AS(clone_vfork), AS(clone_only),
    AS(in_thread), AS(thread_fork), AS(failed), AS(failed_vfork),
    AS(late), BY(_Fork), AS(raw_fork), AS(raw_clone), AS(raw_clone3), AS(raw_execve),
    AS(raw_execveat), AS(clone3_vfork), AS(vfork_goes_on), BY(daemon), BY(forkpty),
    AS(in_handler), AS(killed), AS(atfork), AS(other), AS(chain),
};

static int
last(void)
{
    burn();
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "_=", 2) != 0) /* the shell's word for who runs it */
            puts(*e);
    return 7;
}

int
main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    if (argc < 2)
        return last();
    self = realpath("/proc/self/exe", NULL);
    next = argv + 1;
    snprintf(command, sizeof(command), "'%s'", self);
    for (int i = 2; i < argc; i++) {
        strcat(command, " ");
        strcat(command, argv[i]);
    }
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (!strcmp(argv[1], table[i].name)) {
            next[0] = (char[]){ "descend" };
            return table[i].run();
        }
    }
    return 2;
}
