/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: the calls that need more than a row of libc.def can say. */
#include "collector/io/io_record.h"
#include "collector/libc/real.h"

WRAPPER FILE *
freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    FILE *now;

    io_closing(since, io_fd_of(stream));
    now = IO_REAL(freopen)(path, mode, stream);
    IO_RECORD(io_stream_opened, since, freopen, path, now);
    return now;
}

WRAPPER FILE *
freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    FILE *now;

    io_closing(since, io_fd_of(stream));
    now = IO_REAL(freopen64)(path, mode, stream);
    IO_RECORD(io_stream_opened, since, freopen, path, now);
    return now;
}

WRAPPER int
fclose(FILE *stream)
{
    u64 since = IO_BEGIN();
    u32 file = since ? io_closing(since, io_fd_of(stream)) : 0;
    int result = IO_REAL(fclose)(stream);

    IO_RECORD(io_closed, since, fclose, file, result);
    return result;
}

WRAPPER int
pclose(FILE *stream)
{
    u64 since = IO_BEGIN();
    u32 file = since ? io_closing(since, io_fd_of(stream)) : 0;
    int result = IO_REAL(pclose)(stream);

    IO_RECORD(io_closed, since, fclose, file, result);
    return result;
}

/*
 * If getc_unlocked() is inlined, the program calls this function when the buffer is
 * empty. All bytes that are in the buffer afterwards are counted now, since the program
 * takes them without a call.
 */
WRAPPER int
__uflow(FILE *stream)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(__uflow)(stream);
    u64 got = c == EOF ? 0 : 1 + (u64)(stream->_IO_read_end - stream->_IO_read_ptr);

    IO_RECORD(io_streamed, since, getc, stream, got,
              c == EOF && ferror_unlocked(stream));
    return c;
}
