/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does to itself what few programs do, and prints what came of it: the same with a
 * profiler in it as without. One argument says what to do; see table[].
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "work.h"


static void
handle(int signo, void (*handler)(int), int flags, const sigset_t *mask)
{
    struct sigaction act;

    memset(&act, 0, sizeof(act));
    act.sa_handler = handler;
    act.sa_flags = flags;
    if (mask)
        act.sa_mask = *mask;
    sigaction(signo, &act, NULL);
}

static volatile char *outside; /* in the frame that a handler interrupts */
static volatile long distance, bottom;

/* Takes much more stack than an alternate one has. */
__attribute__((noinline)) static void
dig(int depth)
{
    volatile char room[4096];

    memset((char *)room, depth, sizeof(room));
    if (depth)
        dig(depth - 1);
    bottom += room[17];
}

static void
on_stack(int signo)
{
    char here;

    (void)signo;
    distance = outside - &here;
    work(5);
    dig(100);
}

static void *
raise_on_stack(void *name)
{
    char here;

    outside = &here;
    work(5);
    raise(SIGUSR1);
    work(5);
    printf("%s: handler %s\n", (char *)name,
           distance > 0 && distance < 65536 ? "on the same stack" : "elsewhere");
    return NULL;
}

/* SA_ONSTACK in threads that have no alternate stack; then one of the threads has. */
static void
onstack(void)
{
    static char alt[1 << 19];
    stack_t stack = { .ss_sp = alt, .ss_size = sizeof(alt) };
    pthread_t thread;
    struct sigaction now;

    handle(SIGUSR1, on_stack, SA_ONSTACK, NULL);
    raise_on_stack((char[]){ "main" });
    pthread_create(&thread, NULL, raise_on_stack, (char[]){ "thread" });
    pthread_join(thread, NULL);
    sigaction(SIGUSR1, NULL, &now);
    printf("asked for %d\n", (now.sa_flags & SA_ONSTACK) != 0);
    sigaltstack(&stack, NULL);
    raise_on_stack((char[]){ "main with a stack of its own" });
    sigaction(SIGUSR1, NULL, &now);
    printf("asked for %d\n", (now.sa_flags & SA_ONSTACK) != 0);
    pthread_create(&thread, NULL, raise_on_stack, (char[]){ "another thread" });
    pthread_join(thread, NULL);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    raise_on_stack((char[]){ "main without it" });
}

static volatile int in_outer, nested, urgent;

static void
urgency(int signo)
{
    (void)signo;
    urgent++;
    nested += in_outer;
}

static void
outer(int signo)
{
    (void)signo;
    in_outer = 1;
    kill(getpid(), SIGURG);
    work(10);
    in_outer = 0;
}

static volatile int on_small;
static char small[65536];

static void
on_small_stack(int signo)
{
    char here;
    stack_t now;

    (void)signo;
    sigaltstack(NULL, &now);
    on_small += now.ss_flags == SS_ONSTACK && now.ss_size == 4096;
    on_small += (size_t)(&here - small) >= sizeof(small) || sigaltstack(&now, NULL) < 0;
    work(5);
}

/* Alternate stacks that are hardly large enough for a handler of the target alone. */
static void
smallstack(void)
{
    static const size_t sizes[] = { 2048, 4096, 8192, 16384, 60000 };
    stack_t stack, now;
    int damaged = 0;

    memset(small, 90, sizeof(small));
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char *lo = small + sizeof(small) - sizes[i];

        stack = (stack_t){ .ss_sp = lo, .ss_size = sizes[i] };
        printf("set %d", sigaltstack(&stack, &now));
        printf(" before %zu %d", now.ss_size, now.ss_flags);
        work(30);
        sigaltstack(NULL, &now);
        printf(" now %zu %d %d\n", now.ss_size, now.ss_flags, now.ss_sp == lo);
        for (char *p = small; p < lo; p++)
            damaged += *p != 90;
    }
    stack = (stack_t){ .ss_sp = small, .ss_size = 1000 };
    printf("set %d damaged %d\n", sigaltstack(&stack, NULL), damaged);
    stack.ss_size = 4096;
    sigaltstack(&stack, NULL);
    handle(SIGUSR2, on_small_stack, SA_ONSTACK, NULL);
    raise(SIGUSR2);
    printf("on it: %d\n", on_small);
    stack.ss_flags = SS_DISABLE;
    printf("off %d", sigaltstack(&stack, &now));
    printf(" before %zu %d\n", now.ss_size, now.ss_flags);
}

/* A mask of a handler keeps SIGURG away, and is told as it was given. */
static void
samask(void)
{
    struct sigaction now;
    sigset_t all;

    sigfillset(&all);
    handle(SIGUSR1, outer, 0, &all);
    handle(SIGURG, urgency, 0, NULL);
    handle(SIGUSR2, outer, 0, &all);
    sigaction(SIGUSR1, NULL, &now);
    printf("mask has it: %d\n", sigismember(&now.sa_mask, SIGURG));
    sigaction(SIGUSR2, &now, &now);
    printf("mask has it: %d\n", sigismember(&now.sa_mask, SIGURG));
    raise(SIGUSR1);
    raise(SIGUSR2);
    printf("urgent %d, of these nested %d\n", urgent, nested);
    handle(SIGURG, SIG_DFL, 0, NULL);
    work(10);
    sigemptyset(&all);
    handle(SIGUSR1, outer, 0, &all);
    sigaction(SIGUSR1, NULL, &now);
    printf("mask has it: %d\n", sigismember(&now.sa_mask, SIGURG));
}

/* No file may grow: ours neither, and nobody is told by a signal. */
static void
xfsz(void)
{
    struct rlimit none = { 1024, 1024 };
    pthread_t thread;
    sigset_t set, pending;

    setrlimit(RLIMIT_FSIZE, &none);
    work(20);
    pthread_create(&thread, NULL, raise_on_stack, (char[]){ "thread" });
    pthread_join(thread, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &set, NULL);
    execl("/no/such/program", "it", (char *)NULL);
    sigpending(&pending);
    printf("pending %d\n", sigismember(&pending, SIGXFSZ));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    execl("/no/such/program", "it", (char *)NULL);
}

/* A child that libc knows nothing of keeps its own mask. */
static void
rawfork(void)
{
    sigset_t set, old;
    long pid;

    handle(SIGURG, urgency, 0, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    sigprocmask(SIG_BLOCK, &set, NULL);
    fflush(stdout);
    pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) {
        kill(getpid(), SIGURG);
        work(5);
        printf("blocked: %d\n", urgent);
        sigprocmask(SIG_SETMASK, NULL, &old);
        printf("told so: %d\n", sigismember(&old, SIGURG));
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        printf("unblocked: %d\n", urgent);
        sigprocmask(SIG_BLOCK, &set, NULL);
        kill(getpid(), SIGURG);
        printf("blocked again: %d\n", urgent);
        exit(3);
    }
    waitpid((pid_t)pid, NULL, 0);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(SIGURG);
    printf("parent: %d\n", urgent);
}

static void
ends(int signo)
{
    (void)signo;
    pthread_exit(NULL);
}

static void *
end_in_handler(void *arg)
{
    work(5);
    raise(SIGUSR2);
    return arg;
}

/* Allows a few calls; a profiler's are not among them. */
static void
set_filter(int by_prctl, unsigned int else_what)
{
    static const unsigned short few[] = {
        SYS_write, SYS_exit_group, SYS_rt_sigreturn, SYS_clock_gettime, SYS_munmap,
        SYS_fstat, SYS_brk,        SYS_mmap,         SYS_futex,         SYS_exit,
        SYS_madvise, SYS_rt_sigprocmask, SYS_mprotect, SYS_clone,
        SYS_clone3,  SYS_set_robust_list, SYS_rseq, SYS_exit,
    };
    enum { FEW = sizeof(few) / sizeof(few[0]) };
    struct sock_filter code[FEW + 3];
    struct sock_fprog program = { FEW + 3, code };

    code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, nr));
    for (int i = 0; i < FEW; i++)
        code[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, few[i],
                                                   (unsigned char)(FEW - i), 0);
    code[FEW + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, else_what);
    code[FEW + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    printf("probe %ld\n", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL));
    if (by_prctl)
        printf("set %d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    else
        printf("set %ld\n", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                    SECCOMP_FILTER_FLAG_TSYNC, &program));
}

static pthread_barrier_t barrier;

static void *
work_on(void *arg)
{
    work(20);
    pthread_barrier_wait(&barrier);
    work(100);
    return arg;
}

static void *
work_little(void *arg)
{
    work(10);
    return arg;
}

__attribute__((noinline)) static void
afterwards(void)
{
    work(100);
    sink++;
}

static void
filter(int by_prctl, unsigned int else_what)
{
    pthread_t thread, later;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work_on, NULL);
    work(100);
    pthread_barrier_wait(&barrier);
    set_filter(by_prctl, else_what);
    afterwards();
    pthread_join(thread, NULL);
    if (!pthread_create(&later, NULL, work_little, NULL))
        pthread_join(later, NULL);
}

static void
seccomp(void)
{
    filter(0, SECCOMP_RET_KILL_PROCESS);
}

static void
seccomp_prctl(void)
{
    filter(1, SECCOMP_RET_KILL_PROCESS);
}

static void
seccomp_errno(void)
{
    filter(0, SECCOMP_RET_ERRNO | EPERM);
}

/* What the kernel does not accept; and then nothing but read, write and exit. */
static void
seccomp_strict(void)
{
    static const char text[] = "strict\n";
    struct sock_fprog none = { 0, NULL }, wild = { 9, (struct sock_filter *)8 };

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    printf("none %d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &none));
    printf("wild %d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &wild));
    printf("unreadable %d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 16));
    afterwards();
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0);
    for (unsigned long i = 0; i < 30000000; i++)
        sink += i;
    syscall(SYS_write, 1, text, sizeof(text) - 1);
    syscall(SYS_exit, 7);
}

/* Runs on its own stack, but with the maker's thread pointer: no libc here. */
static int
sleeper(void *arg)
{
    long nap[2] = { 1, 0 }, result;

    for (;;)
        __asm__ volatile("syscall"
                         : "=a"(result)
                         : "0"((long)SYS_nanosleep), "D"(nap), "S"(0L)
                         : "rcx", "r11", "memory");
    return arg != NULL;
}

/* Signals that only a thread takes which libc knows nothing of. */
static void
unseen(void)
{
    static char stack[65536] __attribute__((aligned(16)));
    sigset_t set;

    clone(sleeper, stack + sizeof(stack),
          CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
              CLONE_SYSVSEM,
          NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int i = 0; i < 3; i++) {
        kill(getpid(), SIGUSR2);
        work(50);
    }
}

typedef void (*handler)(int);
handler bsd_signal(int, handler);
handler __sysv_signal(int, handler);

/* signal() has many names. */
static void
names(void)
{
    bsd_signal(SIGURG, urgency);
    raise(SIGURG);
    work(10);
    printf("bsd_signal: %d\n", urgent);
    ssignal(SIGURG, urgency);
    raise(SIGURG);
    work(10);
    printf("ssignal: %d\n", urgent);
    printf("as before: %d\n", __sysv_signal(SIGURG, urgency) == urgency);
    raise(SIGURG);
    raise(SIGURG);
    work(10);
    printf("__sysv_signal: %d\n", urgent);
}

/* Threads that end from a handler which asked for an alternate stack. */
static void
leave(void)
{
    pthread_t thread;

    handle(SIGUSR2, ends, SA_ONSTACK, NULL);
    for (int i = 0; i < 20; i++) {
        pthread_create(&thread, NULL, end_in_handler, NULL);
        pthread_join(thread, NULL);
    }
    puts("left");
}

/* A library that comes only now. */
static void
load_late(void)
{
    void *library = dlopen("libm.so.6", RTLD_NOW);

    printf("library %d\n", library && dlsym(library, "cos"));
    work(30);
}

static void
other_user(void)
{
    int gid = setgid(65534), uid = setuid(65534);

    printf("gid %d uid %d\n", gid, uid);
    load_late();
}

static void
other_root(void)
{
    int done;

    dlopen("libm.so.6", RTLD_NOW);
    done = chroot("/proc/self/fdinfo") == 0 && chdir("/") == 0;
    printf("chroot %d\n", done);
    work(30);
}

static int
change_root(void *arg)
{
    (void)arg;
    _exit(chroot("/dev") || chdir("/"));
}

/* Directories that are open, by a /proc from before the root changed. */
static int
open_directories(int proc)
{
    int fd = openat(proc, "self/fd", O_RDONLY | O_DIRECTORY), found = 0;
    DIR *dir = fdopendir(fd);
    struct dirent *entry;
    struct stat st;

    while (dir && (entry = readdir(dir)))
        found += entry->d_name[0] != '.' && atoi(entry->d_name) != proc &&
                 fstatat(fd, entry->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
    if (dir)
        closedir(dir);
    return found - 1; /* its own */
}

/*
 * As browsers' sandboxes do it: a child in this memory, with a thread pointer to zeros,
 * takes this process's files out of its reach; then no directory may be open.
 */
static void
sandbox(void)
{
    static char stack[65536] __attribute__((aligned(16)));
    static char words[16384] __attribute__((aligned(64)));
    int flags = CLONE_VM | CLONE_FS | CLONE_VFORK | CLONE_SETTLS | SIGCHLD;
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = -1;
    pid_t pid = clone(change_root, stack + sizeof(stack), flags, NULL, NULL,
                      words + sizeof(words) / 2, NULL);

    waitpid(pid, &status, 0);
    printf("root changed: 0x%x, directories %d\n", status, open_directories(proc));
    work(30);
    pid = fork();
    if (pid == 0) {
        work(5);
        _exit(3);
    }
    waitpid(pid, &status, 0);
    printf("child 0x%x\n", status);
}

static const struct {
    const char *name;
    void (*act)(void);
} table[] = {
    { "onstack", onstack }, { "samask", samask }, { "xfsz", xfsz },
    { "rawfork", rawfork }, { "leave", leave },     { "names", names },
    { "other_user", other_user }, { "other_root", other_root },
    { "unseen", unseen },       { "smallstack", smallstack },
    { "sandbox", sandbox },
    { "seccomp", seccomp }, { "seccomp_prctl", seccomp_prctl },
    { "seccomp_errno", seccomp_errno }, { "seccomp_strict", seccomp_strict },
};

int
main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    handle(SIGUSR1, on_stack, 0, NULL);
    for (size_t i = 0; argc > 1 && i < sizeof(table) / sizeof(table[0]); i++)
        if (!strcmp(argv[1], table[i].name))
            table[i].act();
    work(20);
    puts("done");
    return 7;
}
