/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, but for what goes through them. */
#include "collector/io/io_record.h"
#include "collector/hook/real.h"

WRAPPER FILE *
fopen(const char *restrict path, const char *restrict mode)
{
    u64 since = IO_BEGIN();
    FILE *stream = IO_REAL(fopen)(path, mode);

    IO_RECORD(io_stream_opened, since, fopen, path, stream);
    return stream;
}

WRAPPER FILE *
fopen64(const char *restrict path, const char *restrict mode)
{
    u64 since = IO_BEGIN();
    FILE *stream = IO_REAL(fopen64)(path, mode);

    IO_RECORD(io_stream_opened, since, fopen, path, stream);
    return stream;
}

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

WRAPPER FILE *
fdopen(int fd, const char *mode)
{
    u64 since = IO_BEGIN();
    FILE *stream = IO_REAL(fdopen)(fd, mode);

    IO_RECORD(io_done, since, fdopen, fd, stream ? 0 : -1);
    return stream;
}

WRAPPER FILE *
tmpfile(void)
{
    u64 since = IO_BEGIN();
    FILE *stream = IO_REAL(tmpfile)();

    IO_RECORD(io_stream_opened, since, tmpfile, NULL, stream);
    return stream;
}

WRAPPER FILE *
tmpfile64(void)
{
    u64 since = IO_BEGIN();
    FILE *stream = IO_REAL(tmpfile64)();

    IO_RECORD(io_stream_opened, since, tmpfile, NULL, stream);
    return stream;
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

WRAPPER int
fflush(FILE *stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fflush)(stream);

    IO_RECORD(io_streamed, since, fflush, stream, 0, result < 0);
    return result;
}

WRAPPER int
fflush_unlocked(FILE *stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fflush_unlocked)(stream);

    IO_RECORD(io_streamed, since, fflush, stream, 0, result < 0);
    return result;
}

WRAPPER int
fseek(FILE *stream, long offset, int whence)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fseek)(stream, offset, whence);

    IO_RECORD(io_streamed, since, fseek, stream, 0, result < 0);
    return result;
}

WRAPPER int
fseeko(FILE *stream, off_t offset, int whence)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fseeko)(stream, offset, whence);

    IO_RECORD(io_streamed, since, fseek, stream, 0, result < 0);
    return result;
}

WRAPPER int
fseeko64(FILE *stream, off64_t offset, int whence)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fseeko64)(stream, offset, whence);

    IO_RECORD(io_streamed, since, fseek, stream, 0, result < 0);
    return result;
}

WRAPPER long
ftell(FILE *stream)
{
    u64 since = IO_BEGIN();
    long result = IO_REAL(ftell)(stream);

    IO_RECORD(io_streamed, since, ftell, stream, 0, result < 0);
    return result;
}

WRAPPER off_t
ftello(FILE *stream)
{
    u64 since = IO_BEGIN();
    off_t result = IO_REAL(ftello)(stream);

    IO_RECORD(io_streamed, since, ftell, stream, 0, result < 0);
    return result;
}

WRAPPER off64_t
ftello64(FILE *stream)
{
    u64 since = IO_BEGIN();
    off64_t result = IO_REAL(ftello64)(stream);

    IO_RECORD(io_streamed, since, ftell, stream, 0, result < 0);
    return result;
}

WRAPPER void
rewind(FILE *stream)
{
    u64 since = IO_BEGIN();

    IO_REAL(rewind)(stream);
    IO_RECORD(io_streamed, since, fseek, stream, 0, 0);
}

WRAPPER int
fgetpos(FILE *restrict stream, fpos_t *restrict at)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fgetpos)(stream, at);

    IO_RECORD(io_streamed, since, ftell, stream, 0, result < 0);
    return result;
}

WRAPPER int
fgetpos64(FILE *restrict stream, fpos64_t *restrict at)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fgetpos64)(stream, at);

    IO_RECORD(io_streamed, since, ftell, stream, 0, result < 0);
    return result;
}

WRAPPER int
fsetpos(FILE *stream, const fpos_t *at)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fsetpos)(stream, at);

    IO_RECORD(io_streamed, since, fseek, stream, 0, result < 0);
    return result;
}

WRAPPER int
fsetpos64(FILE *stream, const fpos64_t *at)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fsetpos64)(stream, at);

    IO_RECORD(io_streamed, since, fseek, stream, 0, result < 0);
    return result;
}
