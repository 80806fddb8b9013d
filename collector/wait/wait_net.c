/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets, queues of messages, names of hosts, and waiting for descriptors. */
#include "collector/hook/real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

/* Waiting for none is waiting for time to pass. */
static u32
state_of(u64 descriptors)
{
    return descriptors ? MSTATE_EVENT : MSTATE_SLEEP;
}

WRAPPER int
accept(int fd, __SOCKADDR_ARG address, socklen_t *size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(accept)(fd, address, size));
}

WRAPPER int
accept4(int fd, __SOCKADDR_ARG address, socklen_t *size, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(accept4)(fd, address, size, flags));
}

WRAPPER int
connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(connect)(fd, address, size));
}

WRAPPER ssize_t
send(int fd, const void *buf, size_t size, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(send)(fd, buf, size, flags));
}

WRAPPER ssize_t
sendto(int fd, const void *buf, size_t size, int flags, __CONST_SOCKADDR_ARG to,
       socklen_t to_size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(sendto)(fd, buf, size, flags, to, to_size));
}

WRAPPER ssize_t
sendmsg(int fd, const struct msghdr *message, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(sendmsg)(fd, message, flags));
}

WRAPPER int
sendmmsg(int fd, struct mmsghdr *v, unsigned count, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(sendmmsg)(fd, v, count, flags));
}

WRAPPER ssize_t
recv(int fd, void *buf, size_t size, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(recv)(fd, buf, size, flags));
}

WRAPPER ssize_t
__recv_chk(int fd, void *buf, size_t size, size_t room, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(__recv_chk)(fd, buf, size, room, flags));
}

WRAPPER ssize_t
recvfrom(int fd, void *buf, size_t size, int flags, __SOCKADDR_ARG from,
         socklen_t *from_size)
{
    return WAIT_IN(MSTATE_IO,
                   WAIT_REAL(recvfrom)(fd, buf, size, flags, from, from_size));
}

WRAPPER ssize_t
recvmsg(int fd, struct msghdr *message, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(recvmsg)(fd, message, flags));
}

WRAPPER int
recvmmsg(int fd, struct mmsghdr *v, unsigned count, int flags, struct timespec *timeout)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(recvmmsg)(fd, v, count, flags, timeout));
}

WRAPPER int
msgsnd(int queue, const void *message, size_t size, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(msgsnd)(queue, message, size, flags));
}

WRAPPER ssize_t
msgrcv(int queue, void *message, size_t size, long type, int flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(msgrcv)(queue, message, size, type, flags));
}

WRAPPER int
mq_send(mqd_t queue, const char *message, size_t size, unsigned priority)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(mq_send)(queue, message, size, priority));
}

WRAPPER int
mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned priority,
             const struct timespec *until)
{
    return WAIT_IN(MSTATE_IO,
                   WAIT_REAL(mq_timedsend)(queue, message, size, priority, until));
}

WRAPPER ssize_t
mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(mq_receive)(queue, message, size, priority));
}

WRAPPER ssize_t
mq_timedreceive(mqd_t queue, char *restrict message, size_t size,
                unsigned *restrict priority, const struct timespec *restrict until)
{
    return WAIT_IN(MSTATE_IO,
                   WAIT_REAL(mq_timedreceive)(queue, message, size, priority, until));
}

WRAPPER int
getaddrinfo(const char *restrict node, const char *restrict service,
            const struct addrinfo *restrict hints, struct addrinfo **restrict result)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(getaddrinfo)(node, service, hints, result));
}

WRAPPER int
getnameinfo(const struct sockaddr *restrict address, socklen_t size,
            char *restrict host, socklen_t host_size, char *restrict service,
            socklen_t service_size, int flags)
{
    return WAIT_IN(MSTATE_IO,
                   WAIT_REAL(getnameinfo)(address, size, host, host_size, service,
                                          service_size, flags));
}

WRAPPER struct hostent *
gethostbyname(const char *name)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(gethostbyname)(name));
}

WRAPPER int
poll(struct pollfd *fds, nfds_t count, int timeout)
{
    return WAIT_IN(state_of(count), WAIT_REAL(poll)(fds, count, timeout));
}

WRAPPER int
__poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
    return WAIT_IN(state_of(count), WAIT_REAL(__poll_chk)(fds, count, timeout, room));
}

WRAPPER int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
      const sigset_t *mask)
{
    return WAIT_IN(state_of(count), WAIT_REAL(ppoll)(fds, count, timeout, mask));
}

WRAPPER int
__ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
            const sigset_t *mask, size_t room)
{
    return WAIT_IN(state_of(count),
                   WAIT_REAL(__ppoll_chk)(fds, count, timeout, mask, room));
}

WRAPPER int
select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
       struct timeval *restrict timeout)
{
    return WAIT_IN(state_of(count), WAIT_REAL(select)(count, in, out, except, timeout));
}

WRAPPER int
pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
        const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    return WAIT_IN(state_of(count),
                   WAIT_REAL(pselect)(count, in, out, except, timeout, mask));
}

WRAPPER int
epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
    return WAIT_IN(MSTATE_EVENT, WAIT_REAL(epoll_wait)(fd, events, count, timeout));
}

WRAPPER int
epoll_pwait(int fd, struct epoll_event *events, int count, int timeout,
            const sigset_t *mask)
{
    return WAIT_IN(MSTATE_EVENT,
                   WAIT_REAL(epoll_pwait)(fd, events, count, timeout, mask));
}

WRAPPER int
epoll_pwait2(int fd, struct epoll_event *events, int count,
             const struct timespec *timeout, const sigset_t *mask)
{
    return WAIT_IN(MSTATE_EVENT,
                   WAIT_REAL(epoll_pwait2)(fd, events, count, timeout, mask));
}
