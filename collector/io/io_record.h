/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of I/O calls, from what the hooks have seen. Contexts as in trace.h. A hook:
 *
 *   u64 since = IO_BEGIN();
 *   ssize_t n = IO_REAL(read)(fd, buf, size);
 *
 *   IO_RECORD(io_moved, since, read, fd, n);
 *
 * A call that does not return (cancelled, or left by longjmp) leaves no record, and
 * nothing needs to be undone. Results below 0 are failures; the reason is in errno. A
 * `file` is the id of a record `file`, 0 = none.
 */
#ifndef ERTOOLS_COLLECTOR_IO_IO_RECORD_H
#define ERTOOLS_COLLECTOR_IO_IO_RECORD_H

#include <stdio.h>
#include <sys/socket.h>

#include "collector/io/io_real.h"
#include "collector/hook/trace.h"
#include "share/iocall.h"

/* How often the process has called vfork(); see io_vfork.c. */
extern u32 io_vforks;

/*
 * Returns 0 if the caller is a vfork child, which shares our memory, but not our
 * descriptors; else 1.
 */
int io_is_here(void);

/*
 * Read the clock before a real function. Returns ticks; 0 = nothing is recorded.
 * caller: the hook's return address; calls by libcollector.so itself are not recorded.
 * The compiler must be told to inline this: it does not do so by itself in a file with
 * two hundred hooks.
 */
static inline __attribute__((always_inline)) u64
io_begin(const void *caller)
{
    if (!ER_LIKELY(trace_is_on()) || ER_UNLIKELY(io_is_own(caller)))
        return 0;
    if (ER_UNLIKELY(__atomic_load_n(&io_vforks, __ATOMIC_RELAXED)) && !io_is_here())
        return 0;
    return trace_before();
}

#define IO_BEGIN() io_begin(__builtin_return_address(0))

/*
 * IO_BEGIN() for calls that libcollector.so also makes on behalf of the target
 * (IO_ALSO_OURS).
 */
#define IO_BEGIN_FOR_ANY() io_begin(NULL)

/* The number of a call << 8 | its class (enum er_io_kind): IO_CALL(read). */
#define IO_CALL(name) ((u32)IOCALL_##name << 8 | (u32)IOKIND_##name)

/*
 * Unless since is 0, call one of the functions below from a hook, with the stack of the
 * hook's caller.
 */
#define IO_RECORD(function, since, call, ...)                        \
    do {                                                             \
        struct walk_start start_;                                    \
                                                                     \
        if (ER_LIKELY((since) != 0)) {                               \
            TRACE_CAPTURE(&start_);                                  \
            function(&start_, (since), IO_CALL(call), __VA_ARGS__);  \
        }                                                            \
    } while (0)

/* Record that n bytes went through a descriptor, or that the call failed (n < 0). */
void io_moved(const struct walk_start *start, u64 since, u32 call, int fd, ssize_t n);

/*
 * Record a call that moved n bytes from one descriptor to another, or failed (n < 0).
 * One record is of the write. If bytes were moved, a second one is of the read, by the
 * call `call_from`, with a duration of 0.
 */
void io_moved_between(const struct walk_start *start, u64 since, u32 call, int to,
                      u32 call_from, int from, ssize_t n);

/*
 * Record that `bytes` bytes went through a stream. failed: 1 = the transfer stopped at
 * an error, which is in errno.
 */
void io_streamed(const struct walk_start *start, u64 since, u32 call, FILE *stream,
                 u64 bytes, int failed);

/* Record a call that moves no bytes; fd < 0: it has no descriptor. */
void io_done(const struct walk_start *start, u64 since, u32 call, int fd, long result);

/* Like io_done(), for functions that return the errno value itself; 0 = no error. */
void io_done_error(const struct walk_start *start, u64 since, u32 call, int fd,
                   int error);

/*
 * Record that a file was opened; fd < 0: that failed. The kernel is asked for the name
 * if path is NULL or relative; dir as in openat().
 */
void io_opened(const struct walk_start *start, u64 since, u32 call, int dir,
               const char *path, int fd);

/* Record that fopen() or a similar function was called; stream NULL: that failed. */
void io_stream_opened(const struct walk_start *start, u64 since, u32 call,
                      const char *path, FILE *stream);

/* Record a call that has made two descriptors; the record has the first one's file. */
void io_opened_two(const struct walk_start *start, u64 since, u32 call,
                   const int fds[2], int result);

/*
 * Record that a socket was made (fd < 0: that failed), bound, or connected to `to`; or
 * that the socket `result` was made from fd by accept() (result < 0: that failed). The
 * record `file` of a new socket is written when its addresses are known, or at its
 * first use.
 */
void io_socket_made(const struct walk_start *start, u64 since, u32 call, int fd);
void io_socket_bound(const struct walk_start *start, u64 since, u32 call, int fd,
                     int result);
void io_socket_connected(const struct walk_start *start, u64 since, u32 call, int fd,
                         const struct sockaddr *to, socklen_t size, int result);
void io_socket_accepted(const struct walk_start *start, u64 since, u32 call, int fd,
                        int result);

/* Record that fd was copied to the descriptor `now`; now < 0: that failed. */
void io_copied(const struct walk_start *start, u64 since, u32 call, int fd, int now);

/*
 * Call before descriptors are closed: removes their entries, and writes the record of a
 * socket that was never used. io_closing() returns the descriptor's file, 0 = none, for
 * io_closed(). since: from IO_BEGIN(); if it is 0, nothing is done.
 */
u32 io_closing(u64 since, int fd);
void io_closing_range(u64 since, unsigned first, unsigned last);
void io_closed(const struct walk_start *start, u64 since, u32 call, u32 file,
               long result);

/*
 * Record a call with a path (stat, unlink); dir as in openat(). If path is NULL, empty
 * or not readable, the record has no file.
 */
void io_named(const struct walk_start *start, u64 since, u32 call, int dir,
              const char *path, long result);

/*
 * Record that the working directory was changed, to the path, or if that is NULL, to
 * the directory fd; result < 0: that failed.
 */
void io_moved_to(const struct walk_start *start, u64 since, u32 call, const char *path,
                 int fd, int result);

/*
 * Can the byte be read? For pointers that the real function may not have used. Returns
 * 0, too, if memory must not be probed. Call only while the trace is on (trace.h).
 */
int io_can_read(const void *at);

/* The descriptor of a stream, or -1. Keeps errno. */
int io_fd_of(FILE *stream);

#endif
