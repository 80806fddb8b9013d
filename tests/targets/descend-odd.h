/* SPDX-License-Identifier: Apache-2.0 */
/* Less usual ways to another process or program: a part of descend.c. */
#ifndef ERTOOLS_TESTS_DESCEND_ODD_H
#define ERTOOLS_TESTS_DESCEND_ODD_H

/* A child that goes on as this program, or by exec. */
static int
child_of(pid_t pid)
{
    if (pid == 0 && next[1]) {
        execv(self, next);
        die("execv");
    }
    if (pid == 0) {
        burn();
        (void)!write(1, "child\n", 6);
        _exit(7);
    }
    return hand_on(pid);
}

static int by__Fork(void) { return child_of(_Fork()); }
static int raw_fork(void) { return child_of((pid_t)syscall(SYS_fork)); }

static int
raw_clone(void)
{
    return child_of((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

static int
raw_clone3(void)
{
    struct clone_args args = { .exit_signal = SIGCHLD };

    /* The kernel refuses these. */
    if (syscall(SYS_clone3, 8L, sizeof(args)) != -1 || errno != EFAULT ||
        syscall(SYS_clone3, &args, 8) != -1 || errno != EINVAL)
        return 98;
    return child_of((pid_t)syscall(SYS_clone3, &args, sizeof(args)));
}

static int
raw_execve(void)
{
    syscall(SYS_execve, self, next, environ);
    return 99;
}

static int
raw_execveat(void)
{
    syscall(SYS_execveat, AT_FDCWD, self, next, environ, 0);
    return 99;
}

/* As late glibc's posix_spawn() has it, and others: the parent waits for the exec. */
static int
clone3_vfork(void)
{
    char *stack = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    return hand_on(clone(in_clone, stack + (1 << 20), CLONE_VFORK | SIGCHLD, NULL));
}

/* It shares our memory until it ends, and never becomes anything. */
static int
vfork_goes_on(void)
{
    pid_t pid = vfork();

    if (pid == 0) {
        burn();
        (void)!write(1, "child\n", 6);
        _exit(7);
    }
    burn();
    return hand_on(pid);
}

/* Nobody waits for it: what it prints comes through a pipe that its end closes. */
static int
by_daemon(void)
{
    char text[4096];
    int ends[2];
    ssize_t len;
    pid_t pid;

    if (pipe(ends) < 0)
        die("pipe");
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        if (daemon(1, 1) < 0)
            die("daemon");
        dup2(ends[1], 1);
        close(ends[1]);
        burn();
        execv(self, next);
        die("execv");
    }
    close(ends[1]);
    while ((len = read(ends[0], text, sizeof(text))) > 0)
        (void)!write(1, text, (size_t)len);
    return hand_on(pid) == 0 ? 7 : 93;
}

static int
by_forkpty(void)
{
    char text[4096];
    int master;
    ssize_t len;
    pid_t pid = forkpty(&master, NULL, NULL, NULL);

    if (pid == 0) {
        execv(self, next);
        die("execv");
    }
    while ((len = read(master, text, sizeof(text))) > 0)
        (void)!write(1, text, (size_t)len);
    return hand_on(pid);
}

static void
handler(int signo)
{
    (void)signo;
    (void)!write(1, "handled\n", 8);
    execv(self, next);
    _exit(99);
}

static int
in_handler(void)
{
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    return 99;
}

/* Its child is killed in the midst of its work. */
static int
killed(void)
{
    int ends[2], status;
    char byte;
    pid_t pid;

    if (pipe(ends) < 0)
        die("pipe");
    pid = fork();
    if (pid == 0) {
        burn();
        (void)!write(ends[1], "x", 1);
        for (;;)
            burn();
    }
    if (read(ends[0], &byte, 1) != 1)
        return 92;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 7 : 91;
}

static int prepared, in_parent, in_child_too;

static void
note_prepare(void)
{
    pthread_t id;

    prepared++;
    free(malloc(100));
    if (pthread_create(&id, NULL, run_nothing, NULL) == 0)
        pthread_join(id, NULL);
}

static void note_parent(void) { in_parent++; }
static void note_child(void) { in_child_too++; }

/* Handlers of its own around a fork, which do what they may not do under our locks. */
static int
atfork(void)
{
    pthread_atfork(note_prepare, note_parent, note_child);
    if (fork_only() != 7)
        return 90;
    return prepared == 1 && in_parent == 1 && in_child_too == 0 ? 7 : 89;
}

/* PROGRAM is in the environment, which is nobody's here but the test's. */
static int
other(void)
{
    char *program = getenv("PROGRAM");

    unsetenv("PROGRAM");
    if (!strcmp(next[1] ? next[1] : "", "spawn")) {
        pid_t pid;

        next[1] = NULL;
        return posix_spawnp(&pid, program, NULL, NULL, next, environ) ? 97
                                                                       : hand_on(pid);
    }
    execvp(program, next);
    return 88;
}

/* Execs itself so many times. */
static int
chain(void)
{
    static char left[16];
    int n = next[1] ? atoi(next[1]) : 0;

    if (n == 0)
        return 7;
    snprintf(left, sizeof(left), "%d", n - 1);
    next[0] = (char[]){ "descend" };
    execv(self, (char *[]){ next[0], (char[]){ "chain" }, left, NULL });
    return 99;
}

#endif
