/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets. */
#include "collector/io/io_record.h"
#include "collector/hook/real.h"

/* Bytes of the first `count` messages, or less than 0. */
static ssize_t
sum(const struct mmsghdr *messages, int count)
{
    ssize_t bytes = 0;

    if (count < 0)
        return count;
    for (int i = 0; i < count; i++)
        bytes += messages[i].msg_len;
    return bytes;
}

WRAPPER int
socket(int family, int type, int protocol)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(socket)(family, type, protocol);

    IO_RECORD(io_socket_made, since, socket, fd);
    return fd;
}

WRAPPER int
socketpair(int family, int type, int protocol, int fds[2])
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(socketpair)(family, type, protocol, fds);

    IO_RECORD(io_opened_two, since, socketpair, fds, result);
    return result;
}

WRAPPER int
bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(bind)(fd, address, size);

    IO_RECORD(io_done, since, bind, fd, result);
    return result;
}

WRAPPER int
listen(int fd, int backlog)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(listen)(fd, backlog);

    IO_RECORD(io_socket_bound, since, listen, fd, result);
    return result;
}

WRAPPER int
accept(int fd, __SOCKADDR_ARG address, socklen_t *size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(accept)(fd, address, size);

    IO_RECORD(io_socket_accepted, since, accept, fd, result);
    return result;
}

WRAPPER int
accept4(int fd, __SOCKADDR_ARG address, socklen_t *size, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(accept4)(fd, address, size, flags);

    IO_RECORD(io_socket_accepted, since, accept, fd, result);
    return result;
}

WRAPPER int
connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(connect)(fd, address, size);

    IO_RECORD(io_socket_connected, since, connect, fd, address.__sockaddr__, size,
              result);
    return result;
}

WRAPPER int
shutdown(int fd, int how)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(shutdown)(fd, how);

    IO_RECORD(io_done, since, shutdown, fd, result);
    return result;
}

WRAPPER ssize_t
send(int fd, const void *buf, size_t size, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(send)(fd, buf, size, flags);

    IO_RECORD(io_moved, since, send, fd, n);
    return n;
}

WRAPPER ssize_t
sendto(int fd, const void *buf, size_t size, int flags, __CONST_SOCKADDR_ARG address,
       socklen_t bytes)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(sendto)(fd, buf, size, flags, address, bytes);

    IO_RECORD(io_moved, since, sendto, fd, n);
    return n;
}

WRAPPER ssize_t
sendmsg(int fd, const struct msghdr *message, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(sendmsg)(fd, message, flags);

    IO_RECORD(io_moved, since, sendmsg, fd, n);
    return n;
}

WRAPPER ssize_t
recv(int fd, void *buf, size_t size, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(recv)(fd, buf, size, flags);

    IO_RECORD(io_moved, since, recv, fd, n);
    return n;
}

WRAPPER ssize_t
__recv_chk(int fd, void *buf, size_t size, size_t room, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(__recv_chk)(fd, buf, size, room, flags);

    IO_RECORD(io_moved, since, recv, fd, n);
    return n;
}

WRAPPER ssize_t
recvfrom(int fd, void *buf, size_t size, int flags, __SOCKADDR_ARG address,
         socklen_t *bytes)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(recvfrom)(fd, buf, size, flags, address, bytes);

    IO_RECORD(io_moved, since, recvfrom, fd, n);
    return n;
}

WRAPPER ssize_t
__recvfrom_chk(int fd, void *buf, size_t size, size_t room, int flags,
               __SOCKADDR_ARG address, socklen_t *bytes)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(__recvfrom_chk)(fd, buf, size, room, flags, address, bytes);

    IO_RECORD(io_moved, since, recvfrom, fd, n);
    return n;
}

WRAPPER ssize_t
recvmsg(int fd, struct msghdr *message, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(recvmsg)(fd, message, flags);

    IO_RECORD(io_moved, since, recvmsg, fd, n);
    return n;
}

WRAPPER int
sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
    u64 since = IO_BEGIN();
    int sent = IO_REAL(sendmmsg)(fd, messages, count, flags);

    IO_RECORD(io_moved, since, sendmmsg, fd, sum(messages, sent));
    return sent;
}

WRAPPER int
recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags,
         struct timespec *timeout)
{
    u64 since = IO_BEGIN();
    int got = IO_REAL(recvmmsg)(fd, messages, count, flags, timeout);

    IO_RECORD(io_moved, since, recvmmsg, fd, sum(messages, got));
    return got;
}
