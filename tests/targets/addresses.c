/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives system calls addresses that cannot be read, and prints what each says; the last
 * exec succeeds, with an environment that ends with its page.
 */
/* build: -O2 -g */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

extern char **environ;

static char *none, *tail; /* nothing; the last bytes before that */

#define TRY(call)                                                       \
    do {                                                                \
        long result_;                                                   \
        errno = 0;                                                      \
        result_ = (long)(call);                                         \
        printf("%s: %ld %s\n", #call, result_, strerrorname_np(errno)); \
    } while (0)

static void
make_page(void)
{
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);

    none = page + 4096;
    munmap(none, 4096);
    memset(page, 'a', 4096);
    tail = none - 10;
    strcpy(tail, "/bin/none");
}

static void
execs(char **args)
{
    char *envs[] = { "A=1", none, NULL }, **nothing = (char **)(void *)none;
    int file = open("/bin/true", O_RDONLY);

    TRY(execve(none, args, environ));
    TRY(execve("/bin/true", nothing, environ));
    TRY(execve("/bin/true", args, nothing));
    TRY(execve("/bin/true", args, envs));
    TRY(execve(none - 96, args, environ));
    TRY(execve(tail, args, environ));
    TRY(execve(NULL, args, environ));
    TRY(execv(none, args));
    TRY(execveat(AT_FDCWD, none, args, environ, 0));
    TRY(execveat(AT_FDCWD, none, args, environ, AT_EMPTY_PATH));
    TRY(execveat(file, "", args, nothing, AT_EMPTY_PATH));
    TRY(fexecve(file, args, envs));
    TRY(syscall(SYS_execve, none, args, environ));
    TRY(syscall(SYS_execve, "/bin/true", args, nothing));
    TRY(posix_spawn(NULL, none, NULL, NULL, args, environ));
    TRY(posix_spawn(NULL, "/bin/true", NULL, NULL, args, nothing));
    TRY(syscall(SYS_clone3, none, 88L));
    TRY(syscall(SYS_clone3, none - 16, 88L));
    close(file);
}

static void
files(void)
{
    struct iovec *vector = (struct iovec *)(void *)none;
    struct iovec bad = { none, 10 };
    struct msghdr message = { .msg_iov = vector, .msg_iovlen = 1 };
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR), ends[2];

    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    TRY(open(none, O_RDONLY));
    TRY(openat(AT_FDCWD, none - 96, O_RDONLY));
    TRY(creat(none, 0600));
    TRY(mkdir(none, 0700));
    TRY(rename(none, "a"));
    TRY(rename("a", none));
    TRY(unlink(none));
    TRY(symlink(none, none));
    TRY(chdir(none));
    TRY(read(zero, none, 10));
    TRY(write(ends[0], none, 10));
    TRY(readv(zero, vector, 2));
    TRY(readv(zero, &bad, 1));
    TRY(writev(null, vector, 2));
    TRY(preadv(zero, vector, 1, 0));
    TRY(sendmsg(ends[0], &message, 0));
    TRY(sendmsg(ends[0], (struct msghdr *)(void *)none, 0));
    TRY(recvmsg(ends[0], (struct msghdr *)(void *)none, MSG_DONTWAIT));
    TRY(sendto(ends[0], none, 10, 0, NULL, 0));
    TRY(connect(ends[0], (struct sockaddr *)(void *)none, 16));
    TRY(accept(ends[0], (struct sockaddr *)(void *)none, NULL));
    TRY(pipe((int *)(void *)none));
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)(void *)none));
    TRY(poll((struct pollfd *)(void *)none, 1, 0));
    TRY(nanosleep((struct timespec *)(void *)none, NULL));
    TRY(stat(none, (struct stat *)(void *)none));
    TRY(syscall(SYS_futex, none, 0, 0, NULL));
}

int
main(int argc, char **argv)
{
    char *args[] = { "echo", "with the last bytes of a page", NULL };
    char *last[] = { NULL, NULL };

    setvbuf(stdout, NULL, _IOLBF, 0);
    make_page();
    work(30);
    files();
    execs(args);
    work(30);
    last[0] = tail;
    fflush(stdout);
    execve("/bin/echo", args, last);
    (void)argc, (void)argv;
    return 1;
}
