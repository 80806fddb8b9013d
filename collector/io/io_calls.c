/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions whose bodies are made from the rows of libc.def, and the helpers of
 * these bodies.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "collector/libc/real.h"
#include "collector/io/io_record.h"

/*
 * The sum of the bytes of the first `count` messages; count itself if it is less than
 * 0.
 */
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

/*
 * The descriptor that poll() waits for, if it is the only one; else -1, also if the
 * call has failed with an error that may have come before fds was read.
 */
static int
only(const struct pollfd *fds, nfds_t count, int result)
{
    return count == 1 && (result >= 0 || errno == EINTR) ? fds->fd : -1;
}

/* Was an error the reason of a short transfer, rather than the end of the file? */
#define FAILED(stream) (ferror_unlocked(stream) != 0)

static __attribute__((noinline)) FILE *
probed(FILE *stream)
{
    return io_can_read(stream) && io_can_read((char *)(stream + 1) - 1) ? stream : NULL;
}

/*
 * The stream of a call. is_used: 0 = libc has returned without a look at the stream, so
 * that it may be any pointer.
 */
#define USED(stream, is_used) (ER_LIKELY(is_used) ? (stream) : probed(stream))

/* Is there an argument `mode` after the flags? The same test as in libc. */
#define HAS_MODE(flags) ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE)

/*
 * Does the call refer to the descriptor itself? Newer kernels take NULL for an empty
 * path. If the call has failed, the path may be one that cannot be read.
 */
static int
is_descriptor(const char *path, int flags, int result)
{
    if (!(flags & AT_EMPTY_PATH) || !path)
        return (flags & AT_EMPTY_PATH) != 0;
    return (result >= 0 || io_can_read(path)) && !*path;
}

#define BODY(begin, type, name, params, args, function, call, ...) \
    WRAPPER type                                                   \
    name params                                                    \
    {                                                              \
        u64 since = IO_##begin();                                  \
        type result = IO_REAL(name) args;                          \
                                                                   \
        IO_RECORD(io_##function, since, call, __VA_ARGS__);        \
        return result;                                             \
    }

#define BODY_BEGIN(...) BODY(BEGIN, __VA_ARGS__)
#define BODY_BEGIN_FOR_ANY(...) BODY(BEGIN_FOR_ANY, __VA_ARGS__)

#define BODY_LIST(type, name, params, args, next, last, function, call, ...) \
    WRAPPER type                                                             \
    name params                                                              \
    {                                                                        \
        u64 since = IO_BEGIN();                                              \
        va_list list;                                                        \
        type result;                                                         \
                                                                             \
        va_start(list, last);                                                \
        result = IO_REAL(next) args;                                         \
        va_end(list);                                                        \
        IO_RECORD(io_##function, since, call, __VA_ARGS__);                  \
        return result;                                                       \
    }

#define BODY_MODE(type, name, params, args, function, call, ...) \
    WRAPPER type                                                 \
    name params                                                  \
    {                                                            \
        u64 since = IO_BEGIN();                                  \
        va_list list;                                            \
        mode_t mode;                                             \
        type result;                                             \
                                                                 \
        va_start(list, flags);                                   \
        mode = HAS_MODE(flags) ? va_arg(list, mode_t) : 0;       \
        va_end(list);                                            \
        result = IO_REAL(name) args;                             \
        IO_RECORD(io_##function, since, call, __VA_ARGS__);      \
        return result;                                           \
    }

#define BODY_VOID(type, name, params, args, function, call, ...) \
    WRAPPER type                                                 \
    name params                                                  \
    {                                                            \
        u64 since = IO_BEGIN();                                  \
                                                                 \
        IO_REAL(name) args;                                      \
        IO_RECORD(io_##function, since, call, __VA_ARGS__);      \
    }

#define BODY_STAT_AT(type, name, params, args, dir, path, flags)    \
    WRAPPER type                                                    \
    name params                                                     \
    {                                                               \
        u64 since = IO_BEGIN();                                     \
        type result = IO_REAL(name) args;                           \
                                                                    \
        if (since && is_descriptor(path, flags, result))            \
            IO_RECORD(io_done, since, fstat, dir, result);          \
        else                                                        \
            IO_RECORD(io_named, since, stat, dir, path, result);    \
        return result;                                              \
    }

#define BODY_OWN(...)

#define LIBC_FOR_IO
#define ROW(type, name, params, args, body, ...) \
    BODY_##body(type, name, params, args, __VA_ARGS__)
#include "collector/libc/libc.def"
