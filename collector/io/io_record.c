/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/io/io_record.h"

#include <errno.h>
#include <fcntl.h>

#include "collector/io/io_file.h"
#include "collector/io/io_path.h"
#include "collector/sig/sys.h"

enum { PAGE = 4096 };

/* Id of the process whose descriptors and paths are in the tables. */
static u32 owner;

int
io_is_here(void)
{
    struct thread *t = trace_thread();
    u32 count = __atomic_load_n(&io_vforks, __ATOMIC_RELAXED);

    if (t && t->trace[TRACE_io].last_begin == count)
        return 1;
    if ((u32)sys_call4(SYS_getpid, 0, 0, 0, 0) != *trace_services->pid)
        return 0;
    /*
     * Keep the count, so that this thread need not ask again: it is not in a vfork
     * child. If it becomes one by a later vfork(), the count changes.
     */
    if (t)
        t->trace[TRACE_io].last_begin = count;
    return 1;
}

/*
 * Empty the tables in a forked child: it has its parent's descriptors, but must write
 * records `file` of its own.
 */
static __attribute__((noinline)) void
change_owner(void)
{
    if (owner) {
        io_file_forget_all();
        io_path_forget_all();
    }
    owner = *trace_services->pid;
}

static inline void
check_owner(void)
{
    if (ER_UNLIKELY(owner != *trace_services->pid))
        change_owner();
}

/*
 * Begin to record an event. 1: record it, unless recording is paused; trace_leave()
 * must follow. 0: record nothing.
 */
static inline int
enter(struct io_event *e, int error)
{
    e->ticks = trace_after();
    e->error = (u32)error;
    if (!trace_enter(&e->s))
        return 0;
    check_owner();
    return 1;
}

static inline int
error_of(long result)
{
    return ER_UNLIKELY(result < 0) ? errno : 0;
}

static inline void
put(struct io_event *e, const struct walk_start *start, u64 since, u32 call, u32 file,
    u64 bytes)
{
    struct trace *trace = &e->s.t->trace[TRACE_io];
    struct rec_io r = { .time = e->ticks >> SHIFT_iotrace, .call = call >> 8,
                        .kind = call & 0xff, .error = e->error, .bytes = bytes,
                        .file = file };
    struct chunk_writer *w;

    r.took = trace_between(since >> SHIFT_iotrace, r.time);
    r.node = trace_walk(&e->s, start);
    w = trace_open(&e->s, trace, FILE_iotrace, e->ticks);
    if (ER_LIKELY(w != NULL))
        trace_close(&e->s, trace, w, rec_put_io(&w->codec, trace_at(w), &r));
    /*
     * Copy the numbers of events into the thread's row of the file threads, so that
     * they are known even if the process is killed.
     */
    if (ER_LIKELY(e->s.t->row != NULL)) {
        e->s.t->row->io_seen = trace_seen(trace);
        e->s.t->row->io_dropped = trace->dropped;
    }
}

void
io_moved(const struct walk_start *start, u64 since, u32 call, int fd, ssize_t n)
{
    struct io_event e;

    if (!enter(&e, error_of(n)))
        return;
    if (ER_LIKELY(!e.s.paused))
        put(&e, start, since, call, io_file_of(&e, fd, 0), n > 0 ? (u64)n : 0);
    trace_leave(&e.s);
}

void
io_moved_between(const struct walk_start *start, u64 since, u32 call, int to,
                 u32 call_from, int from, ssize_t n)
{
    struct io_event e;

    if (!enter(&e, error_of(n)))
        return;
    if (!e.s.paused) {
        put(&e, start, since, call, io_file_of(&e, to, 0), n > 0 ? (u64)n : 0);
        if (n >= 0)
            put(&e, start, e.ticks, call_from, io_file_of(&e, from, 0), (u64)n);
    }
    trace_leave(&e.s);
}

int
io_fd_of(FILE *stream)
{
    int saved = errno;
    int fd = stream ? fileno_unlocked(stream) : -1;

    errno = saved;
    return fd;
}

void
io_streamed(const struct walk_start *start, u64 since, u32 call, FILE *stream,
            u64 bytes, int failed)
{
    struct io_event e;

    if (!enter(&e, failed ? errno : 0))
        return;
    if (ER_LIKELY(!e.s.paused))
        put(&e, start, since, call, io_file_of(&e, io_fd_of(stream), 0), bytes);
    trace_leave(&e.s);
}

void
io_done_error(const struct walk_start *start, u64 since, u32 call, int fd, int error)
{
    struct io_event e;
    int may_pend = (call & 0xff) == IO_OTHER;

    if (!enter(&e, error))
        return;
    if (ER_LIKELY(!e.s.paused))
        put(&e, start, since, call, io_file_of(&e, fd, may_pend), 0);
    trace_leave(&e.s);
}

void
io_done(const struct walk_start *start, u64 since, u32 call, int fd, long result)
{
    io_done_error(start, since, call, fd, error_of(result));
}

int
io_can_read(const void *at)
{
    return !*trace_services->no_probe && sys_readable((u64)(uintptr_t)at & ~7ull);
}

/*
 * Can a path be read? A call that has failed with another error than EFAULT may not
 * have read it: the kernel checks flags before paths, and link() its first path before
 * the second. If memory must not be probed, assume that it can, unless the error is
 * EFAULT or EINVAL.
 */
static __attribute__((noinline)) int
is_readable(const char *path, u32 error)
{
    if (error == EFAULT || *trace_services->no_probe)
        return error != EFAULT && error != EINVAL;
    for (const char *at = path;; at++) {
        if ((at == path || (u64)(uintptr_t)at % PAGE == 0) && !io_can_read(at))
            return 0;
        if (!*at)
            return 1;
    }
}

/* The id of a path; 0 if there is none, or it cannot be read. */
static u32
path_file(struct io_event *e, int dir, const char *path)
{
    if (!path || (ER_UNLIKELY(e->error) && !is_readable(path, e->error)))
        return 0;
    return path[0] ? io_path_of(e, dir, path) : 0;
}

void
io_opened(const struct walk_start *start, u64 since, u32 call, int dir,
          const char *path, int fd)
{
    struct io_event e;

    if (!enter(&e, error_of(fd)))
        return;
    if (ER_UNLIKELY(e.s.paused))
        io_file_remove(fd);
    else if (fd >= 0)
        put(&e, start, since, call, io_file_opened(&e, fd, path), 0);
    else
        put(&e, start, since, call, path_file(&e, dir, path), 0);
    trace_leave(&e.s);
}

void
io_stream_opened(const struct walk_start *start, u64 since, u32 call, const char *path,
                 FILE *stream)
{
    io_opened(start, since, call, AT_FDCWD, path, stream ? io_fd_of(stream) : -1);
}

void
io_opened_two(const struct walk_start *start, u64 since, u32 call, const int fds[2],
              int result)
{
    struct io_event e;
    u32 file = 0;

    if (!enter(&e, error_of(result)))
        return;
    for (int i = 0; result == 0 && i < 2; i++) {
        if (e.s.paused)
            io_file_remove(fds[i]);
        else if (i == 0)
            file = io_file_opened(&e, fds[i], NULL);
        else
            io_file_opened(&e, fds[i], NULL);
    }
    if (!e.s.paused)
        put(&e, start, since, call, file, 0);
    trace_leave(&e.s);
}

void
io_socket_made(const struct walk_start *start, u64 since, u32 call, int fd)
{
    struct io_event e;

    if (!enter(&e, error_of(fd)))
        return;
    if (e.s.paused)
        io_file_remove(fd);
    else
        put(&e, start, since, call, fd < 0 ? 0 : io_file_pending(fd), 0);
    trace_leave(&e.s);
}

void
io_socket_bound(const struct walk_start *start, u64 since, u32 call, int fd, int result)
{
    struct io_event e;

    if (!enter(&e, error_of(result)))
        return;
    if (!e.s.paused) {
        if (result == 0)
            io_file_named(&e, fd, NULL, 0);
        put(&e, start, since, call, io_file_of(&e, fd, 1), 0);
    }
    trace_leave(&e.s);
}

void
io_socket_connected(const struct walk_start *start, u64 since, u32 call, int fd,
                    const struct sockaddr *to, socklen_t size, int result)
{
    struct io_event e;

    if (!enter(&e, error_of(result)))
        return;
    if (!e.s.paused) {
        io_file_named(&e, fd, e.error == EFAULT ? NULL : to, size);
        put(&e, start, since, call, io_file_of(&e, fd, 0), 0);
    }
    trace_leave(&e.s);
}

void
io_socket_accepted(const struct walk_start *start, u64 since, u32 call, int fd,
                   int result)
{
    struct io_event e;

    if (!enter(&e, error_of(result)))
        return;
    if (e.s.paused) {
        io_file_remove(result);
    } else {
        if (result >= 0)
            io_file_opened(&e, result, NULL);
        put(&e, start, since, call, io_file_of(&e, fd, 0), 0);
    }
    trace_leave(&e.s);
}

void
io_copied(const struct walk_start *start, u64 since, u32 call, int fd, int now)
{
    struct io_event e;

    if (!enter(&e, error_of(now)))
        return;
    if (e.s.paused && now != fd)
        io_file_remove(now);
    else if (!e.s.paused)
        put(&e, start, since, call, io_file_copied(&e, fd, now), 0);
    trace_leave(&e.s);
}

/*
 * Write the record of a socket that was never used, at its close: it is still open, so
 * that its name can be read.
 */
static __attribute__((noinline)) void
settle(u64 entry, int fd)
{
    struct io_event e;

    if (!enter(&e, 0))
        return;
    if (!e.s.paused)
        io_file_settle(&e, entry & ~(u64)IO_FILE_PENDING, fd);
    trace_leave(&e.s);
}

u32
io_closing(u64 since, int fd)
{
    u64 entry;

    if (!since)
        return 0;
    check_owner();
    entry = io_file_remove(fd);
    if (ER_UNLIKELY((u32)entry & IO_FILE_PENDING))
        settle(entry, fd);
    return (u32)(entry >> 32);
}

void
io_closing_range(u64 since, unsigned first, unsigned last)
{
    if (!since)
        return;
    check_owner();
    io_file_remove_range(first, last);
}

void
io_closed(const struct walk_start *start, u64 since, u32 call, u32 file, long result)
{
    struct io_event e;

    if (!enter(&e, error_of(result)))
        return;
    if (!e.s.paused)
        put(&e, start, since, call, file, 0);
    trace_leave(&e.s);
}

void
io_named(const struct walk_start *start, u64 since, u32 call, int dir, const char *path,
         long result)
{
    struct io_event e;

    if (!enter(&e, error_of(result)))
        return;
    if (!e.s.paused)
        put(&e, start, since, call, path_file(&e, dir, path), 0);
    trace_leave(&e.s);
}

void
io_moved_to(const struct walk_start *start, u64 since, u32 call, const char *path,
            int fd, int result)
{
    struct io_event e;

    if (!enter(&e, error_of(result)))
        return;
    if (!e.s.paused)
        put(&e, start, since, call,
            path ? path_file(&e, AT_FDCWD, path) : io_file_of(&e, fd, 1), 0);
    if (result == 0)
        io_path_moved();
    trace_leave(&e.s);
}
