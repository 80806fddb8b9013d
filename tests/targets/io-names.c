/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comes by descriptors in many ways; each moves a number of bytes of its own, so that
 * the name beside that number can be looked at. Standard input is the test's.
 */
/* build: -O1 -g */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static char buf[4096];

#define MUST(condition)                                          \
    do {                                                         \
        if (!(condition)) {                                      \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(8);                                             \
        }                                                        \
    } while (0)

static void
put(int fd, size_t n)
{
    MUST(write(fd, buf, n) == (ssize_t)n);
}

static int
raw_open(const char *name)
{
    return (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT, 0600);
}

static void
paths(void)
{
    int dir, fd = open("./relative", O_WRONLY | O_CREAT, 0600);

    put(fd, 101);
    MUST(mkdir("dir", 0700) == 0);
    dir = open("dir", O_RDONLY | O_DIRECTORY);
    fd = openat(dir, "in-dir", O_WRONLY | O_CREAT, 0600);
    put(fd, 102);
    MUST(chdir("dir") == 0);
    fd = open("after-chdir", O_WRONLY | O_CREAT, 0600);
    put(fd, 103);
    MUST(access("gone", F_OK) < 0 && chdir("..") == 0 && access("gone", F_OK) < 0);
    put(raw_open("raw"), 104);
}

/* A copy means the same file, also when the number that it was copied from does not. */
static void
copies(void)
{
    int fd = open("copied", O_WRONLY | O_CREAT, 0600), copy = dup(fd), other;

    close(fd);
    other = open("other", O_WRONLY | O_CREAT, 0600);
    MUST(other == fd);
    put(copy, 110);
    put(other, 111);
    MUST(dup2(copy, other) == other);
    put(other, 1000);
    close(other);
    MUST((fd = raw_open("reused")) == other);
    put(fd, 112);
    MUST(close_range((unsigned)fd, (unsigned)fd, 0) == 0);
    MUST((fd = raw_open("reused-again")) == other);
    put(fd, 113);
}

static void
passed(void)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = { .head = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
                            .cmsg_len = CMSG_LEN(sizeof(int)) } };
    struct iovec v = { buf, 1 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control,
                        .msg_controllen = sizeof(control) };
    int two[2], fd = open("passed", O_WRONLY | O_CREAT, 0600), got;

    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, two) == 0);
    memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
    MUST(sendmsg(two[0], &m, 0) == 1 && close(fd) == 0);
    MUST(recvmsg(two[1], &m, 0) == 1);
    memcpy(&got, CMSG_DATA(&control.head), sizeof(got));
    put(got, 120);
    put(two[0], 121);
    put(memfd_create("memory", 0), 122);
}

static void
sockets(void)
{
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct sockaddr_in6 b = { .sin6_family = AF_INET6, .sin6_addr = in6addr_loopback };
    struct sockaddr_un u = { .sun_family = AF_UNIX, .sun_path = "sock" };
    struct sockaddr_un abstract = { .sun_family = AF_UNIX };
    socklen_t size = sizeof(a);
    int s = socket(AF_INET, SOCK_DGRAM, 0), c = socket(AF_INET, SOCK_DGRAM, 0);

    MUST(bind(s, (struct sockaddr *)&a, sizeof(a)) == 0);
    MUST(getsockname(s, (struct sockaddr *)&a, &size) == 0);
    MUST(sendto(c, buf, 130, 0, (struct sockaddr *)&a, sizeof(a)) == 130);
    MUST(recv(s, buf, sizeof(buf), 0) == 130);
    fprintf(stderr, "udp %d\n", ntohs(a.sin_port));
    s = socket(AF_UNIX, SOCK_STREAM, 0);
    MUST(bind(s, (struct sockaddr *)&u, sizeof(u)) == 0 && listen(s, 1) == 0);
    c = socket(AF_UNIX, SOCK_STREAM, 0);
    MUST(connect(c, (struct sockaddr *)&u, sizeof(u)) == 0);
    put(c, 131);
    put(accept(s, NULL, NULL), 132);
    s = socket(AF_UNIX, SOCK_DGRAM, 0);
    strcpy(abstract.sun_path + 1, "hidden-name");
    snprintf(abstract.sun_path + 12, 20, "%d", (int)getpid());
    MUST(bind(s, (struct sockaddr *)&abstract, sizeof(abstract)) == 0);
    MUST(sendto(s, buf, 133, 0, (struct sockaddr *)&abstract, sizeof(abstract)) == 133);
    a.sin_port = htons(1);
    c = socket(AF_INET, SOCK_STREAM, 0);
    MUST(connect(c, (struct sockaddr *)&a, sizeof(a)) < 0);
    close(c);
    s = socket(AF_INET6, SOCK_DGRAM, 0);
    if (s >= 0 && bind(s, (struct sockaddr *)&b, sizeof(b)) == 0)
        connect(s, (struct sockaddr *)&b, sizeof(b));
    close(socket(AF_INET, SOCK_STREAM, 0));
}

/* More paths than there is memory for. */
static void
many_paths(void)
{
    char name[40];
    struct stat st;

    for (int i = 0; i < 12000; i++) {
        snprintf(name, sizeof(name), "/nowhere/%d", i % 6000);
        MUST(stat(name, &st) < 0);
    }
    for (int i = 0; i < 1000; i++)
        MUST(stat("/nowhere/again", &st) < 0);
}

int
main(void)
{
    char name[3000];

    MUST(read(0, buf, 77) == 77);
    paths();
    copies();
    passed();
    sockets();
    many_paths();
    memset(name, 'x', sizeof(name));
    name[0] = '/';
    name[sizeof(name) - 1] = '\0';
    MUST(access(name, F_OK) < 0);
    put(1, 140);
    return 0;
}
