/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls each function that I/O tracing knows, but for streams (io-streams.c), and
 * prints how often, how many bytes and what failed.
 *
 * Fortified and with 64-bit offsets the same lines call other functions of libc.
 */
/* build: -O1 -g */
/* build: name=chk -O2 -g -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64 */
/* build: name=fort -O2 -g -D_FORTIFY_SOURCE=2 */
/* link: -I@S@/../.. @S@/../../share/iocall.c */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "io-own.h"

/* In no header. */
int __xstat(int, const char *, struct stat *);
int __xstat64(int, const char *, struct stat64 *);
int __lxstat(int, const char *, struct stat *);
int __lxstat64(int, const char *, struct stat64 *);
int __fxstat(int, int, struct stat *);
int __fxstat64(int, int, struct stat64 *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __fxstatat64(int, int, const char *, struct stat64 *, int);
pid_t __vfork(void);

static char buf[4096];
static volatile int two = 2; /* nothing that the compiler could check */

static void
open_and_close(void)
{
    volatile int flags = O_RDONLY;
    int fd[8], dir = (int)DONE(open, open(".", O_RDONLY | O_DIRECTORY));

    fd[0] = (int)DONE(open, open("a", O_RDWR | O_CREAT | O_TRUNC, 0600));
    fd[1] = (int)DONE(open, open64("a", flags));
    fd[2] = (int)DONE(open, openat(dir, "a", flags));
    fd[3] = (int)DONE(open, openat64(AT_FDCWD, "b", O_WRONLY | O_CREAT, 0640));
    fd[4] = (int)DONE(open, creat("c", 0600));
    fd[5] = (int)DONE(open, creat64("d", 0600));
    fd[6] = (int)DONE(open, open(".", O_TMPFILE | O_RDWR, 0600));
    fd[7] = (int)DONE(open, open("a", flags));
    DONE(open, open("nowhere/x", flags));
    DONE(open, openat(900, "x", flags));
    DONE(open, open(two == 2 ? NULL : "a", flags));
    for (int i = 0; i < 8; i++)
        MUST(DONE(close, close(fd[i])) == 0);
    DONE(close, close(fd[0]));
    DONE(close, close(dir));
}

static void
copy_descriptors(void)
{
    int fd = (int)DONE(open, open("a", O_RDONLY));

    MUST(DONE(dup, dup(fd)) == fd + 1);
    MUST(DONE(dup, dup2(fd, 50)) == 50);
    MUST(DONE(dup, dup3(fd, 51, O_CLOEXEC)) == 51);
    MUST(DONE(dup, fcntl(fd, F_DUPFD, 60)) == 60);
    MUST(DONE(dup, fcntl64(fd, F_DUPFD_CLOEXEC, 61)) == 61);
    DONE(dup, dup(700));
    MUST(DONE(fcntl, fcntl(fd, F_GETFD)) == 0);
    MUST(DONE(fcntl, fcntl(fd, F_SETFD, FD_CLOEXEC)) == 0);
    MUST(DONE(fcntl, fcntl64(fd, F_GETFD)) == FD_CLOEXEC);
    MUST(DONE(close_range, close_range(50, 59, 0)) == 0);
    MUST(DONE(close_range, close_range(60, 60, CLOSE_RANGE_CLOEXEC)) == 0);
    MUST(DONE(fcntl, fcntl(60, F_GETFD)) == FD_CLOEXEC);
    VOID(close_range, closefrom(fd));
    DONE(fcntl, fcntl(61, F_GETFD));
}

static void
special_descriptors(void)
{
    char name[8][16];
    int fd[2];

    for (int i = 0; i < 8; i++)
        strcpy(name[i], i < 4 ? "tmp-XXXXXX" : "tmp-XXXXXX.x");
    MUST(DONE(mkstemp, mkstemp(name[0])) >= 0);
    MUST(DONE(mkstemp, mkstemp64(name[1])) >= 0);
    MUST(DONE(mkstemp, mkostemp(name[2], O_APPEND)) >= 0);
    MUST(DONE(mkstemp, mkostemp64(name[3], O_APPEND)) >= 0);
    MUST(DONE(mkstemp, mkstemps(name[4], 2)) >= 0);
    MUST(DONE(mkstemp, mkstemps64(name[5], 2)) >= 0);
    MUST(DONE(mkstemp, mkostemps(name[6], 2, O_APPEND)) >= 0);
    MUST(DONE(mkstemp, mkostemps64(name[7], 2, O_APPEND)) >= 0);
    for (int i = 0; i < 8; i++)
        MUST(DONE(unlink, unlink(name[i])) == 0);
    MUST(DONE(pipe, pipe(fd)) == 0);
    MUST(DONE(pipe, pipe2(fd, O_CLOEXEC)) == 0);
    DONE(shm_open, shm_open("/nowhere-at-all", O_RDONLY, 0));
    MUST(DONE(memfd_create, memfd_create("m", 0)) >= 0);
    MUST(DONE(epoll_create, epoll_create(1)) >= 0);
    MUST(DONE(epoll_create, epoll_create1(0)) >= 0);
    MUST(DONE(eventfd, eventfd(0, 0)) >= 0);
    MUST(DONE(timerfd_create, timerfd_create(CLOCK_MONOTONIC, 0)) >= 0);
    MUST(DONE(inotify_init, inotify_init()) >= 0);
    MUST(DONE(inotify_init, inotify_init1(0)) >= 0);
    VOID(close_range, closefrom(3));
}

static void
move_bytes(void)
{
    struct iovec v[2] = { { buf, 10 }, { buf + 10, 7 } };
    int fd = (int)DONE(open, open("a", O_RDWR));

    MUST(MOVED(write, write(fd, buf, 500)) == 500);
    MUST(MOVED(pwrite, pwrite(fd, buf, 20, 500)) == 20);
    MUST(MOVED(pwrite, pwrite64(fd, buf, 21, 520)) == 21);
    MUST(MOVED(writev, writev(fd, v, 2)) == 17);
    MUST(MOVED(pwritev, pwritev(fd, v, 2, 0)) == 17);
    MUST(MOVED(pwritev, pwritev64(fd, v, 2, 0)) == 17);
    MUST(MOVED(pwritev, pwritev2(fd, v, 2, 0, 0)) == 17);
    MUST(MOVED(pwritev, pwritev64v2(fd, v, 2, 0, 0)) == 17);
    MUST(DONE(lseek, lseek(fd, 0, SEEK_SET)) == 0);
    MUST(DONE(lseek, lseek64(fd, 1, SEEK_SET)) == 1);
    MUST(MOVED(read, read(fd, buf, (size_t)two * 50)) == 100);
    MUST(MOVED(pread, pread(fd, buf, (size_t)two, 5)) == 2);
    MUST(MOVED(pread, pread64(fd, buf, (size_t)two + 1, 5)) == 3);
    MUST(MOVED(readv, readv(fd, v, 2)) == 17);
    MUST(MOVED(preadv, preadv(fd, v, 2, 0)) == 17);
    MUST(MOVED(preadv, preadv64(fd, v, 2, 0)) == 17);
    MUST(MOVED(preadv, preadv2(fd, v, 2, 0, 0)) == 17);
    MUST(MOVED(preadv, preadv64v2(fd, v, 2, 0, 0)) == 17);
    MUST(MOVED(pread, pread(fd, buf, 100, 100000)) == 0);
    MOVED(read, read(400, buf, (size_t)two));
    MOVED(write, write(fd, two == 2 ? (char *)1 : buf, 5));
    MUST(DONE(fsync, fsync(fd)) == 0);
    MUST(DONE(fdatasync, fdatasync(fd)) == 0);
    MUST(DONE(sync, syncfs(fd)) == 0);
    MUST(DONE(ftruncate, ftruncate(fd, 300)) == 0);
    MUST(DONE(ftruncate, ftruncate64(fd, 3000)) == 0);
    DONE(fallocate, fallocate(fd, 0, 0, 0));
    DONE(fallocate, fallocate64(fd, 0, 0, 0));
    own_did(IOCALL_fallocate, 0, posix_fallocate(fd, 0, 0));
    own_did(IOCALL_fallocate, 0, posix_fallocate64(fd, 0, 0));
    DONE(close, close(fd));
}

static void
move_between(void)
{
    struct iovec v[1] = { { buf, 11 } };
    off64_t from = 0, to = 0;
    off_t at = 0;
    int in = (int)DONE(open, open("a", O_RDONLY)), p[2], q[2];
    int out = (int)DONE(open, open("b", O_RDWR | O_TRUNC));

    MUST(BETWEEN(sendfile, sendfile(out, in, &at, 100)) == 100);
    MUST(BETWEEN(sendfile, sendfile64(out, in, &from, 101)) == 101);
    from = 0;
    MUST(BETWEEN(copy_file_range, copy_file_range(in, &from, out, &to, 102, 0)) == 102);
    MUST(DONE(pipe, pipe(p)) == 0 && DONE(pipe, pipe(q)) == 0);
    MUST(MOVED(vmsplice, vmsplice(p[1], v, 1, 0)) == 11);
    MUST(MOVED(tee, tee(p[0], q[1], 100, 0)) == 11);
    MUST(BETWEEN(splice, splice(p[0], NULL, out, NULL, 5, 0)) == 5);
    VOID(sync, sync());
    VOID(close_range, closefrom(3));
}

static void
stream_sockets(void)
{
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof(a);
    int s = (int)DONE(socket, socket(AF_INET, SOCK_STREAM, 0));
    int c = (int)DONE(socket, socket(AF_INET, SOCK_STREAM, 0)), d, t, u;
    struct iovec v[1] = { { buf, 30 } };
    struct msghdr m = { .msg_iov = v, .msg_iovlen = 1 };

    MUST(DONE(bind, bind(s, (struct sockaddr *)&a, sizeof(a))) == 0);
    MUST(DONE(listen, listen(s, 5)) == 0);
    MUST(getsockname(s, (struct sockaddr *)&a, &size) == 0);
    MUST(DONE(connect, connect(c, (struct sockaddr *)&a, sizeof(a))) == 0);
    t = (int)DONE(accept, accept(s, NULL, NULL));
    d = (int)DONE(socket, socket(AF_INET, SOCK_STREAM, 0));
    MUST(DONE(connect, connect(d, (struct sockaddr *)&a, sizeof(a))) == 0);
    u = (int)DONE(accept, accept4(s, NULL, NULL, SOCK_CLOEXEC));
    DONE(accept, accept(u, NULL, NULL));
    MUST(MOVED(send, send(c, buf, 40, 0)) == 40);
    MUST(MOVED(sendto, sendto(c, buf, 41, 0, NULL, 0)) == 41);
    MUST(MOVED(sendmsg, sendmsg(c, &m, 0)) == 30);
    MUST(MOVED(recv, recv(t, buf, (size_t)two * 20, MSG_WAITALL)) == 40);
    MUST(MOVED(recvfrom, recvfrom(t, buf, (size_t)two * 20 + 1, MSG_WAITALL, NULL,
                                  NULL)) == 41);
    MUST(MOVED(recvmsg, recvmsg(t, &m, MSG_WAITALL)) == 30);
    MOVED(recv, recv(t, buf, (size_t)two, MSG_DONTWAIT));
    MUST(DONE(shutdown, shutdown(c, SHUT_RDWR)) == 0);
    MUST(MOVED(recv, recv(t, buf, (size_t)two, 0)) == 0);
    MOVED(send, send(c, buf, 40, MSG_NOSIGNAL));
    VOID(close_range, closefrom(3));
}

static void
datagram_sockets(void)
{
    struct iovec v[2] = { { buf, 6 }, { buf, 7 } };
    struct mmsghdr m[2] = { { .msg_hdr = { .msg_iov = v, .msg_iovlen = 1 } },
                            { .msg_hdr = { .msg_iov = v + 1, .msg_iovlen = 1 } } };
    int fd[2];

    MUST(DONE(socketpair, socketpair(AF_UNIX, SOCK_DGRAM, 0, fd)) == 0);
    MUST(sendmmsg(fd[0], m, 2, 0) == 2);
    own_did(IOCALL_sendmmsg, 13, 0);
    MUST(recvmmsg(fd[1], m, 2, 0, NULL) == 2);
    own_did(IOCALL_recvmmsg, 13, 0);
    MOVED(recvmmsg, recvmmsg(fd[1], m, 2, MSG_DONTWAIT, NULL));
    VOID(close_range, closefrom(3));
}

static void
waits(void)
{
    struct timespec none = { 0, 0 };
    struct timeval nothing = { 0, 0 };
    struct epoll_event event = { .events = EPOLLIN };
    struct pollfd p[2] = { { .events = POLLIN }, { .events = POLLIN } };
    nfds_t count = (nfds_t)two - 1;
    fd_set set;
    int fd = (int)DONE(eventfd, eventfd(1, 0));
    int e = (int)DONE(epoll_create, epoll_create1(0));

    p[0].fd = p[1].fd = fd;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    MUST(DONE(poll, poll(p, count, 0)) == 1);
    MUST(DONE(poll, ppoll(p, count + 1, &none, NULL)) == 2);
    DONE(poll, poll(two == 2 ? (struct pollfd *)1 : p, count, 0));
    MUST(DONE(select, select(fd + 1, &set, NULL, NULL, &nothing)) == 1);
    MUST(DONE(select, pselect(fd + 1, &set, NULL, NULL, &none, NULL)) == 1);
    MUST(DONE(epoll_ctl, epoll_ctl(e, EPOLL_CTL_ADD, fd, &event)) == 0);
    MUST(DONE(epoll_wait, epoll_wait(e, &event, 1, 0)) == 1);
    MUST(DONE(epoll_wait, epoll_pwait(e, &event, 1, 0, NULL)) == 1);
    MUST(DONE(epoll_wait, epoll_pwait2(e, &event, 1, &none, NULL)) == 1);
    VOID(close_range, closefrom(3));
}

static void
ask_by_name(void)
{
    int fd = (int)DONE(open, open("a", O_RDONLY));
    struct stat st;
    struct stat64 st64;
    struct statx stx;

    MUST(DONE(stat, stat("a", &st)) == 0);
    MUST(DONE(stat, stat64("a", &st64)) == 0);
    MUST(DONE(stat, lstat("a", &st)) == 0);
    MUST(DONE(stat, lstat64("a", &st64)) == 0);
    MUST(DONE(fstat, fstat(fd, &st)) == 0);
    MUST(DONE(fstat, fstat64(fd, &st64)) == 0);
    MUST(DONE(stat, fstatat(AT_FDCWD, "a", &st, 0)) == 0);
    MUST(DONE(stat, fstatat64(AT_FDCWD, "a", &st64, 0)) == 0);
    MUST(DONE(fstat, fstatat(fd, "", &st, AT_EMPTY_PATH)) == 0);
    MUST(DONE(stat, statx(AT_FDCWD, "a", 0, STATX_SIZE, &stx)) == 0);
    MUST(DONE(fstat, statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &stx)) == 0);
    MUST(DONE(stat, __xstat(1, "a", &st)) == 0);
    MUST(DONE(stat, __xstat64(1, "a", &st64)) == 0);
    MUST(DONE(stat, __lxstat(1, "a", &st)) == 0);
    MUST(DONE(stat, __lxstat64(1, "a", &st64)) == 0);
    MUST(DONE(fstat, __fxstat(1, fd, &st)) == 0);
    MUST(DONE(fstat, __fxstat64(1, fd, &st64)) == 0);
    MUST(DONE(stat, __fxstatat(1, AT_FDCWD, "a", &st, 0)) == 0);
    MUST(DONE(stat, __fxstatat64(1, AT_FDCWD, "a", &st64, 0)) == 0);
    DONE(stat, stat("nowhere", &st));
    DONE(stat, stat(two == 2 ? (char *)1 : "a", &st));
    MUST(DONE(access, access("a", R_OK)) == 0);
    DONE(access, faccessat(AT_FDCWD, "nowhere", R_OK, 0));
    DONE(close, close(fd));
}

static void
change_names(void)
{
    size_t size = (size_t)two * 20;
    int dir = (int)DONE(open, open(".", O_RDONLY));

    MUST(DONE(truncate, truncate("a", 100)) == 0);
    MUST(DONE(truncate, truncate64("a", 90)) == 0);
    MUST(DONE(mkdir, mkdir("dir", 0700)) == 0);
    MUST(DONE(mkdir, mkdirat(dir, "dir/e", 0700)) == 0);
    MUST(DONE(rmdir, rmdir("dir/e")) == 0);
    MUST(DONE(rename, rename("a", "a1")) == 0);
    MUST(DONE(rename, renameat(dir, "a1", dir, "a2")) == 0);
    MUST(DONE(rename, renameat2(dir, "a2", AT_FDCWD, "a", RENAME_NOREPLACE)) == 0);
    MUST(DONE(link, link("a", "l1")) == 0);
    MUST(DONE(link, linkat(dir, "a", dir, "l2", 0)) == 0);
    MUST(DONE(symlink, symlink("a", "s1")) == 0);
    MUST(DONE(symlink, symlinkat("a", dir, "s2")) == 0);
    MUST(DONE(readlink, readlink("s1", buf, size)) == 1);
    MUST(DONE(readlink, readlinkat(dir, "s2", buf, size)) == 1);
    MUST(DONE(unlink, unlink("l1")) == 0);
    MUST(DONE(unlink, unlinkat(dir, "l2", 0)) == 0);
    MUST(DONE(unlink, remove("s1")) == 0);
    DONE(unlink, unlink("nowhere"));
    MUST(DONE(chdir, chdir("dir")) == 0);
    DONE(unlink, unlink("s2"));
    MUST(DONE(chdir, fchdir(dir)) == 0);
    MUST(DONE(unlink, unlink("s2")) == 0);
    DONE(close, close(dir));
}

static void
directories(void)
{
    DIR *d = GOT(opendir, opendir("."));
    int fd;

    MUST(d && GOT(readdir, readdir(d)) && GOT(readdir, readdir64(d)));
    while (readdir(d))
        own_did(IOCALL_readdir, 0, 0);
    own_did(IOCALL_readdir, 0, 0);
    MUST(DONE(closedir, closedir(d)) == 0);
    GOT(opendir, opendir("nowhere"));
    fd = (int)DONE(open, open("dir", O_RDONLY));
    d = GOT(opendir, fdopendir(fd));
    MUST(d && DONE(closedir, closedir(d)) == 0);
}

/* Its descriptors are its own, and its calls are not ours. */
static void
vfork_child(void)
{
    int fd = (int)DONE(open, open("a", O_RDONLY)), status;
    pid_t pid = two == 2 ? vfork() : __vfork();

    if (pid == 0) {
        close(fd);
        if (dup2(0, fd) != fd || open("b", O_RDONLY) < 0)
            _exit(3);
        _exit(4);
    }
    MUST(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 4);
    MUST(MOVED(read, read(fd, buf, (size_t)two * 10)) == 20);
    DONE(close, close(fd));
}

int
main(void)
{
    open_and_close();
    copy_descriptors();
    special_descriptors();
    move_bytes();
    move_between();
    stream_sockets();
    datagram_sockets();
    waits();
    ask_by_name();
    change_names();
    directories();
    vfork_child();
    own_tell();
    return 0;
}
