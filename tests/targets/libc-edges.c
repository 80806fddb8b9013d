/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls at the edges of what libc's functions accept: NULL pointers, bad addresses,
 * sizes of 0, memory that can only be read, one object given twice. Prints a line for
 * each: the call, its result, and errno, or the signal by which it crashed. A crash is
 * left by a jump, so that it happens in the recorded process itself.
 */
/* build: -O1 -g -w -fno-builtin -fno-delete-null-pointer-checks */
/* link: -lpthread -ldl */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static void *volatile none = NULL;
static void *volatile bad = (void *)8;
static void *fixed; /* a page of zeroes that cannot be written */
static sigjmp_buf back;

static void
say(const char *format, ...)
{
    char line[400];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    syscall(SYS_write, 1, line, len);
}

static void
crashed(int signo)
{
    siglongjmp(back, signo);
}

#define CALL(text, call)                                                  \
    do {                                                                  \
        int signo_ = sigsetjmp(back, 1);                                  \
        long result_;                                                     \
                                                                          \
        if (signo_) {                                                     \
            say("%s: crash %s\n", text, sigabbrev_np(signo_));            \
            break;                                                        \
        }                                                                 \
        errno = 0;                                                        \
        result_ = (long)(call);                                           \
        say("%s: %ld, %s\n", text, result_, strerrorname_np(errno));      \
    } while (0)

#define TELL(call) CALL(#call, call)
/* For calls that return a pointer. */
#define TELL_ANY(call) CALL(#call, (call) != NULL)
/* For calls that return nothing. */
#define TELL_VOID(call) CALL(#call, ((call), 0))

static void
descriptors(void)
{
    int zero = open("/dev/zero", O_RDWR), two[2], s = socket(AF_UNIX, SOCK_STREAM, 0);
    int inet = socket(AF_INET, SOCK_DGRAM, 0), p = epoll_create1(0);
    struct pollfd fd = { zero, POLLIN, 0 };
    struct timespec wrong = { 0, -1 }, now = { 0, 0 };
    char buf[64];

    pipe(two);
    TELL(read(zero, none, 1));
    TELL(read(zero, none, 0));
    TELL(write(two[1], bad, 1));
    TELL(write(two[1], none, 0));
    TELL(pread(zero, bad, 1, 0));
    TELL(readv(zero, none, 1));
    TELL(readv(zero, bad, 0));
    TELL(writev(two[1], bad, 1));
    TELL(sendfile(two[1], zero, bad, 1));
    TELL(pipe(none));
    TELL(pipe2(bad, 0));
    TELL(pipe2(fixed, 0));
    TELL(socketpair(AF_UNIX, SOCK_STREAM, 0, none));
    TELL(poll(none, 1, 0));
    TELL(poll(none, 0, 0));
    TELL(poll(bad, 1, 0));
    TELL(ppoll(none, 1, &wrong, none));
    TELL(ppoll(bad, 1, &wrong, none));
    TELL(ppoll(bad, 1, &now, none));
    TELL(ppoll(&fd, 1, bad, none));
    TELL(ppoll(&fd, 1, &now, bad));
    TELL(ppoll(none, 1, &now, bad));
    TELL(ppoll(&fd, 1, fixed, fixed));
    TELL(select(1, bad, none, none, none));
    TELL(select(0, none, none, none, bad));
    TELL(pselect(0, none, none, none, bad, none));
    TELL(pselect(0, none, none, none, &now, bad));
    TELL(epoll_ctl(p, EPOLL_CTL_ADD, two[0], bad));
    TELL(epoll_wait(p, none, 1, 0));
    TELL(epoll_pwait(p, none, 1, 0, bad));
    TELL(epoll_pwait2(p, none, 1, bad, none));
    TELL(connect(s, none, 0));
    TELL(connect(s, bad, 16));
    TELL(connect(s, bad, -1));
    TELL(connect(s, fixed, 4096));
    TELL(connect(-1, bad, 16));
    TELL(accept(s, bad, bad));
    TELL(sendmsg(inet, bad, 0));
    TELL(sendmmsg(inet, none, 1, 0));
    TELL(sendmmsg(inet, none, 0, 0));
    TELL(recvmmsg(inet, bad, 1, MSG_DONTWAIT, bad));
    TELL(recvmsg(inet, none, MSG_DONTWAIT));
    TELL(fcntl(zero, F_SETLKW, none));
    TELL(fcntl(zero, F_SETLKW, bad));
    TELL(flock(zero, 0));
    TELL(lockf(zero, -1, 0));
    TELL(close_range(5, 3, 0));
    TELL(close_range(~0u, ~0u, -1));
    TELL(dup2(-1, -1));
    TELL(dup3(zero, zero, 0));
}

static void
paths(void)
{
    struct statx stx;
    struct stat st;
    char buf[64];

    TELL(open(none, 0));
    TELL(open(bad, O_CREAT | O_EXCL, 0));
    TELL(openat(-1, none, 0));
    TELL(stat(none, &st));
    TELL(stat("/", none));
    TELL(fstat(0, none));
    TELL(fstatat(AT_FDCWD, bad, &st, AT_EMPTY_PATH));
    TELL(fstatat(AT_FDCWD, none, &st, AT_EMPTY_PATH));
    TELL(fstatat(AT_FDCWD, bad, &st, -1));
    TELL(fstatat(AT_FDCWD, "", &st, AT_EMPTY_PATH));
    TELL(fstatat(-1, none, none, AT_EMPTY_PATH));
    TELL(fstatat(-1, bad, none, AT_EMPTY_PATH));
    TELL(statx(AT_FDCWD, none, AT_EMPTY_PATH, STATX_BASIC_STATS, &stx));
    TELL(statx(AT_FDCWD, bad, AT_EMPTY_PATH, STATX_BASIC_STATS, &stx));
    TELL(statx(AT_FDCWD, bad, AT_EMPTY_PATH, ~0u, &stx));
    TELL(statx(AT_FDCWD, bad, -1, STATX_BASIC_STATS, &stx));
    TELL(statx(0, none, AT_EMPTY_PATH, STATX_BASIC_STATS, none));
    TELL(access(none, 0));
    TELL(rmdir(bad));
    TELL(rename(none, none));
    TELL(link(none, "/no/such"));
    TELL(symlink("a", none));
    TELL(readlink("/proc/self/exe", none, 1));
    TELL(readlink(none, buf, 1));
    TELL(readlink(bad, buf, -1));
    TELL(chdir(none));
    TELL_ANY(opendir(none));
    TELL_ANY(fdopendir(-1));
    TELL(closedir(none));
    TELL_ANY(readdir(none));
    TELL(mkstemp(none));
    TELL(execv(none, none));
    TELL(execv(bad, bad));
    TELL(execve("/bin/true", bad, none));
    TELL(execveat(AT_FDCWD, bad, none, none, AT_EMPTY_PATH));
}

static void
streams(void)
{
    FILE *f = fopen("/dev/null", "r+"), *dir = fopen("/", "r");
    char buf[64], *line = NULL;
    size_t room = 0;

    TELL_ANY(fopen(none, "r"));
    TELL_ANY(fopen("/dev/null", none));
    TELL_ANY(fopen(bad, "r"));
    TELL_ANY(fdopen(-1, "r"));
    TELL_ANY(freopen("/no/such", "r", none));
    TELL(fclose(none));
    TELL(fflush(none));
    TELL(fread(none, 0, 1, f));
    TELL(fread(none, 0, 1, none));
    TELL(fread(none, 1, 0, none));
    TELL(fread(none, 0, 1, bad));
    TELL(fread_unlocked(none, 0, 1, none));
    TELL(fread_unlocked(none, 0, 1, bad));
    TELL(fread(buf, 1, 1, none));
    TELL(fwrite(none, 0, 1, f));
    TELL(fwrite(none, 0, 1, none));
    TELL(fwrite(none, 1, 0, bad));
    TELL(fwrite_unlocked(none, 0, 1, bad));
    TELL_ANY(fgets(buf, 0, f));
    TELL_ANY(fgets(buf, 0, none));
    TELL_ANY(fgets(buf, 1, none));
    TELL_ANY(fgets(buf, 1, bad));
    TELL_ANY(fgets(none, -1, bad));
    TELL_ANY(fgets_unlocked(buf, 1, bad));
    TELL(getline(&line, none, f));
    TELL(getline(none, none, none));
    TELL(getline(&line, none, bad));
    TELL(getdelim(none, &room, 0, bad));
    TELL(getc(none));
    TELL(fputs("", f));
    TELL(fputs(none, f));
    TELL(fprintf(f, none));
    TELL(fprintf(none, ""));
    TELL(dprintf(-1, none));
    TELL(fscanf(f, none));
    TELL(ftell(none));
    TELL_ANY(popen("true", ""));
    TELL(pclose(none));
    TELL(getenv(none) != NULL);
}

static void
locks(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, e, pi;
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec wrong = { 0, -1 }, early = { -1, 0 }, past = { 0, 0 };
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_mutexattr_t attr;
    mtx_t mtx;
    sem_t s;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&e, &attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&pi, &attr);
    mtx_init(&mtx, mtx_timed);
    sem_init(&s, 0, 9);

#define FREE(m, call) TELL(call); pthread_mutex_unlock(m)
    FREE(&m, pthread_mutex_timedlock(&m, none));
    FREE(&m, pthread_mutex_timedlock(&m, bad));
    FREE(&m, pthread_mutex_timedlock(&m, &wrong));
    FREE(&m, pthread_mutex_timedlock(&m, &early));
    FREE(&m, pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, bad));
    FREE(&m, pthread_mutex_clocklock(&m, CLOCK_REALTIME, &wrong));
    FREE(&m, pthread_mutex_clocklock(&m, CLOCK_BOOTTIME, &past));
    FREE(&e, pthread_mutex_timedlock(&e, bad));
    FREE(&pi, pthread_mutex_timedlock(&pi, bad));
    FREE(&pi, pthread_mutex_clocklock(&pi, CLOCK_MONOTONIC, bad));
    TELL(pthread_mutex_lock(&m));
    TELL(pthread_mutex_timedlock(&m, &wrong));
    TELL(pthread_mutex_timedlock(&m, &early));
    TELL(pthread_mutex_timedlock(&m, &past));
    TELL(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, bad));
    TELL(pthread_mutex_timedlock(&e, bad));
    TELL(pthread_mutex_unlock(&e));
    TELL(pthread_mutex_unlock(&e));
    TELL(pthread_mutex_lock(none));
    TELL(pthread_mutex_timedlock(none, none));

#define UNLOCKED(call) TELL(call); pthread_rwlock_unlock(&l)
    UNLOCKED(pthread_rwlock_timedrdlock(&l, none));
    UNLOCKED(pthread_rwlock_timedrdlock(&l, &early));
    TELL(pthread_rwlock_timedrdlock(&l, bad));
    TELL(pthread_rwlock_timedrdlock(&l, &wrong));
    UNLOCKED(pthread_rwlock_timedwrlock(&l, none));
    TELL(pthread_rwlock_timedwrlock(&l, bad));
    TELL(pthread_rwlock_timedwrlock(&l, &wrong));
    TELL(pthread_rwlock_clockwrlock(&l, -1, &past));
    UNLOCKED(pthread_rwlock_clockrdlock(&l, -1, none));
    UNLOCKED(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past));
    TELL(pthread_rwlock_wrlock(&l));
    TELL(pthread_rwlock_wrlock(&l));
    TELL(pthread_rwlock_rdlock(&l));
    TELL(pthread_rwlock_timedrdlock(&l, &past));
    TELL(pthread_rwlock_timedwrlock(&l, &early));
    TELL(pthread_rwlock_timedwrlock(&l, none));

    TELL(sem_timedwait(&s, none));
    TELL(sem_timedwait(&s, bad));
    TELL(sem_timedwait(&s, &early));
    TELL(sem_clockwait(&s, CLOCK_MONOTONIC, none));
    TELL(sem_clockwait(&s, -1, none));
    TELL(sem_clockwait(&s, CLOCK_MONOTONIC, &wrong));
    TELL(sem_init(&s, 0, 0));
    TELL(sem_trywait(&s));
    TELL(sem_timedwait(&s, &past));

    TELL(mtx_timedlock(&mtx, bad));
    TELL(mtx_trylock(&mtx));
    TELL(mtx_timedlock(&mtx, &past));
    TELL(mtx_timedlock(&mtx, &wrong));
    TELL(pthread_cond_timedwait(&c, &m, none));
    TELL(pthread_cond_timedwait(&c, &m, &past));
    TELL(pthread_cond_clockwait(&c, &m, -1, bad));
    TELL(pthread_join(pthread_self(), none));
    TELL(pthread_tryjoin_np(pthread_self(), none));
    TELL(pthread_once(none, none));
}

static void
note(int signo)
{
    say("handled %s\n", sigabbrev_np(signo));
}

/* What the target sees of a signal: its action, and whether it is blocked. */
static void
show(int signo)
{
    struct sigaction act;
    sigset_t set, waits;

    sigaction(signo, NULL, &act);
    sigprocmask(0, NULL, &set);
    sigpending(&waits);
    say("%s: %s, flags %x, blocks itself %d, blocked %d, pending %d\n",
        sigabbrev_np(signo),
        act.sa_handler == SIG_IGN ? "ignored"
        : act.sa_handler == note  ? "note"
                                  : "other",
        act.sa_flags, sigismember(&act.sa_mask, signo), sigismember(&set, signo),
        sigismember(&waits, signo));
}

#define HANDLER(call) CALL(#call, handler_number(call))

static long
handler_number(sighandler_t handler)
{
    return handler == note ? 99 : (long)handler;
}

/* Actions; a signal other than SIGBUS is also raised while it is blocked. */
static void
actions(int signo)
{
    struct sigaction act = { .sa_handler = note }, *same = &act;

    say("-- %s\n", sigabbrev_np(signo));
    TELL(sigaction(signo, bad, none));
    TELL(sigaction(signo, none, bad));
    TELL(sigaction(signo, same, same));
    TELL(act.sa_handler == note);
    show(signo);
    HANDLER(signal(signo, SIG_ERR));
    HANDLER(signal(signo, SIG_IGN));
    show(signo);
    TELL(siginterrupt(signo, 1));
    HANDLER(signal(signo, note));
    show(signo);
    TELL(siginterrupt(signo, 0));
    show(signo);
    HANDLER(signal(signo, note));
    HANDLER(sysv_signal(signo, note));
    show(signo);
    TELL(raise(signo));
    HANDLER(sigset(signo, SIG_ERR));
    HANDLER(sigset(signo, note));
    show(signo);
    HANDLER(sigset(signo, SIG_HOLD));
    HANDLER(sigset(signo, SIG_HOLD));
    show(signo);
    if (signo != SIGBUS)
        TELL(raise(signo));
    show(signo);
    HANDLER(sigset(signo, note));
    show(signo);
    signal(signo, SIG_DFL);
}

static void
masks(int signo)
{
    struct timespec wrong = { 0, -1 }, now = { 0, 0 };
    sigset_t set, other, empty;

    say("-- %s\n", sigabbrev_np(signo));
    sigemptyset(&empty);
    sigemptyset(&set);
    sigaddset(&set, signo);
    signal(signo, note);
    TELL(sighold(signo));
    show(signo);
    TELL(raise(signo));
    show(signo);
    TELL(sigrelse(signo));
    show(signo);
    TELL(sigprocmask(SIG_BLOCK, &set, none));
    TELL(raise(signo));
    TELL(sigrelse(signo));
    show(signo);
    TELL(sigprocmask(SIG_BLOCK, &set, none));
    TELL(raise(signo));
    TELL((sigpause)(signo));
    show(signo);
    TELL(sigprocmask(SIG_UNBLOCK, &set, none));
    TELL(sigblock(1 << (signo - 1)) >> (signo - 1));
    show(signo);
    TELL(sigsetmask(0) >> (signo - 1));
    show(signo);
    TELL(sigignore(signo));
    TELL(raise(signo));
    show(signo);

    other = set;
    TELL(sigprocmask(SIG_BLOCK, &other, &other));
    TELL(sigismember(&other, signo));
    show(signo);
    TELL(pthread_sigmask(SIG_SETMASK, &other, &other));
    TELL(sigismember(&other, signo));
    show(signo);
    TELL(pthread_sigmask(SIG_UNBLOCK, &other, &other));
    TELL(sigismember(&other, signo));
    show(signo);
    TELL(pthread_sigmask(SIG_BLOCK, &set, fixed));
    show(signo);
    TELL(sigprocmask(SIG_SETMASK, &empty, bad));
    show(signo);
    TELL(sigprocmask(-1, &set, none));
    TELL(sigprocmask(SIG_BLOCK, bad, none));
    TELL(sigpending(bad));

    TELL(sigtimedwait(bad, none, &now));
    TELL(sigtimedwait(&set, bad, &wrong));
    TELL(sigtimedwait(&set, bad, &now));
    signal(signo, note);
    sigprocmask(SIG_BLOCK, &set, NULL);
    TELL(raise(signo));
    TELL(sigtimedwait(&set, bad, &now));
    show(signo);
    TELL(raise(signo));
    TELL(sigwait(&set, none));
    sigprocmask(SIG_BLOCK, &set, NULL); /* the jump has restored the mask */
    TELL(raise(signo));
    TELL(sigtimedwait(&set, none, &now) == signo);
    show(signo);
    TELL(sigsuspend(bad));
    TELL(signalfd(-1, bad, 0));
    TELL(signalfd(0, &empty, 0));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    show(signo);
    signal(signo, SIG_DFL);
}

static void
stacks(void)
{
    stack_t *writable = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t given = { malloc(65536), 0, 65536 }, old = { 0 }, *same = &given;

    TELL(sigaltstack(none, none));
    TELL(sigaltstack(bad, none));
    TELL(sigaltstack(none, bad));
    TELL(sigaltstack(none, fixed));
    TELL(sigaltstack(none, &old));
    TELL(old.ss_flags);
    *writable = given;
    mprotect(writable, 4096, PROT_READ);
    TELL(sigaltstack(writable, &old));
    TELL(old.ss_flags);
    TELL(sigaltstack(none, &old));
    TELL(old.ss_sp == given.ss_sp && old.ss_size == 65536 && !old.ss_flags);
    given.ss_size = 32768;
    TELL(sigaltstack(same, same));
    TELL(given.ss_size);
    given.ss_size = 16384;
    TELL(sigaltstack(&given, fixed));
    TELL(sigaltstack(none, &old));
    TELL(old.ss_size);
    given.ss_size = 1;
    TELL(sigaltstack(&given, &old));
    given.ss_flags = -1;
    TELL(sigaltstack(&given, &old));
    given.ss_flags = SS_DISABLE;
    TELL(sigaltstack(&given, bad));
    TELL(sigaltstack(none, &old));
    TELL(old.ss_flags);
}

static void
blocks(void)
{
    char *p = malloc(100), *pages, *moved;
    void *block = NULL;

    strcpy(p, "kept");
    TELL_ANY(reallocarray(p, 1ul << 40, 1ul << 40));
    TELL(strcmp(p, "kept"));
    TELL(strcmp(p, "kept"));
    TELL_ANY(reallocarray(none, 0, 1ul << 40));
    TELL_ANY(p = reallocarray(p, 20, 20));
    TELL(strcmp(p, "kept"));
    TELL_ANY(realloc(p, 0));
    TELL_ANY(realloc(none, 0));
    TELL_ANY(malloc(-1));
    TELL_ANY(calloc(1ul << 40, 1ul << 40));
    TELL(posix_memalign(&block, 3, 1));
    TELL(posix_memalign(&block, 64, -1));
    TELL(posix_memalign(none, 3, 1));
    TELL(posix_memalign(none, 64, 1));
    TELL(posix_memalign(fixed, 64, 0));
    TELL_ANY(aligned_alloc(0, 1));
    TELL_ANY(memalign(-1, 1));
    TELL_ANY(pvalloc(-1));
    TELL_VOID(free(none));
    TELL(malloc_usable_size(none));
    TELL(mmap(none, 0, 0, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    TELL(munmap(none, 0));
    TELL(mremap(bad, 1, 1, 0));
    TELL(mremap(none, 4096, 4096, MREMAP_FIXED, none));
    pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                 0);
    strcpy(pages, "moved");
    TELL(mremap(pages, 8192, 8192, MREMAP_DONTUNMAP));
    TELL_ANY(moved = mremap(pages, 8192, 8192,
                            MREMAP_MAYMOVE | MREMAP_DONTUNMAP, none));
    TELL(moved != pages && !strcmp(moved, "moved"));
    TELL(munmap(moved, 8192));
    TELL(munmap(pages, 8192));
    TELL(brk(none));
    TELL(sbrk(1ul << 62));
}

void __register_frame(void *) __attribute__((weak));
void __deregister_frame(void *) __attribute__((weak));

/* Is there an error that dlerror() has not told yet? */
#define ERROR(call)                                \
    do {                                           \
        dlopen("/no/such", RTLD_NOW);              \
        TELL_VOID(call);                           \
        say("dlerror %d\n", dlerror() != NULL);    \
        TELL_VOID(call);                           \
        say("dlerror %d\n", dlerror() != NULL);    \
    } while (0)

static void
loading(void)
{
    static unsigned table; /* empty: a length of 0 */
    static int word;

    ERROR(syscall(SYS_futex, &word, 0 /* wait */, 1, NULL));
    ERROR(syscall(SYS_getppid) < 0);
    ERROR(free(malloc(1)));
    ERROR(close(dup(0)));
    ERROR(raise(SIGCHLD));
    ERROR(__register_frame ? __register_frame(&table) : (void)0);
    ERROR(__deregister_frame ? __deregister_frame(&table) : (void)0);
    TELL_ANY(dlopen(bad, RTLD_NOW));
    TELL_ANY(dlopen(none, 0));
    TELL_ANY(dlsym(RTLD_DEFAULT, ""));
    TELL_ANY(dlsym(RTLD_DEFAULT, none));
    TELL(dlclose(none));
}

int
main(void)
{
    struct sigaction act = { .sa_handler = crashed, .sa_flags = SA_NODEFER };

    fixed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaction(SIGSEGV, &act, NULL);
    sigaction(SIGBUS, &act, NULL);
    loading();
    descriptors();
    paths();
    streams();
    blocks();
    stacks();
    actions(SIGUSR1);
    actions(SIGURG);
    actions(SIGBUS);
    masks(SIGUSR1);
    masks(SIGURG);
    locks();
    return 0;
}
