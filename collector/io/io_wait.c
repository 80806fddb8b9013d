/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for descriptors. */
#include <errno.h>

#include "collector/io/io_record.h"
#include "collector/hook/real.h"

/* The descriptor, where there is but one; -1 otherwise. */
static int
only(const struct pollfd *fds, nfds_t count, int result)
{
    return count == 1 && (result >= 0 || errno != EFAULT) ? fds->fd : -1;
}

WRAPPER int
poll(struct pollfd *fds, nfds_t count, int timeout)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(poll)(fds, count, timeout);

    IO_RECORD(io_done, since, poll, only(fds, count, result), result);
    return result;
}

WRAPPER int
__poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__poll_chk)(fds, count, timeout, room);

    IO_RECORD(io_done, since, poll, only(fds, count, result), result);
    return result;
}

WRAPPER int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
      const sigset_t *mask)
{
    u64 since = IO_BEGIN_FOR_ANY();
    int result = IO_REAL(ppoll)(fds, count, timeout, mask);

    IO_RECORD(io_done, since, poll, only(fds, count, result), result);
    return result;
}

WRAPPER int
__ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
            const sigset_t *mask, size_t room)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__ppoll_chk)(fds, count, timeout, mask, room);

    IO_RECORD(io_done, since, poll, only(fds, count, result), result);
    return result;
}

WRAPPER int
select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
       struct timeval *restrict timeout)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(select)(count, in, out, except, timeout);

    IO_RECORD(io_done, since, select, -1, result);
    return result;
}

WRAPPER int
pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
        const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    u64 since = IO_BEGIN_FOR_ANY();
    int result = IO_REAL(pselect)(count, in, out, except, timeout, mask);

    IO_RECORD(io_done, since, select, -1, result);
    return result;
}

WRAPPER int
epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(epoll_wait)(fd, events, count, timeout);

    IO_RECORD(io_done, since, epoll_wait, fd, result);
    return result;
}

WRAPPER int
epoll_pwait(int fd, struct epoll_event *events, int count, int timeout,
            const sigset_t *mask)
{
    u64 since = IO_BEGIN_FOR_ANY();
    int result = IO_REAL(epoll_pwait)(fd, events, count, timeout, mask);

    IO_RECORD(io_done, since, epoll_wait, fd, result);
    return result;
}

WRAPPER int
epoll_pwait2(int fd, struct epoll_event *events, int count,
             const struct timespec *timeout, const sigset_t *mask)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(epoll_pwait2)(fd, events, count, timeout, mask);

    IO_RECORD(io_done, since, epoll_wait, fd, result);
    return result;
}

WRAPPER int
epoll_ctl(int fd, int operation, int other, struct epoll_event *event)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(epoll_ctl)(fd, operation, other, event);

    IO_RECORD(io_done, since, epoll_ctl, fd, result);
    return result;
}
