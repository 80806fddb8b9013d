/* SPDX-License-Identifier: Apache-2.0 */
/* Formatted text. Arguments of a call become a va_list. */
#include "collector/io/io_record.h"
#include "collector/hook/real.h"

WRAPPER int
printf(const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(vprintf)(format, args);
    va_end(args);
    IO_RECORD(io_streamed, since, printf, stdout, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(vfprintf)(stream, format, args);
    va_end(args);
    IO_RECORD(io_streamed, since, fprintf, stream, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
dprintf(int fd, const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(vdprintf)(fd, format, args);
    va_end(args);
    IO_RECORD(io_moved, since, dprintf, fd, n);
    return n;
}

WRAPPER int
vprintf(const char *restrict format, va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(vprintf)(format, args);

    IO_RECORD(io_streamed, since, printf, stdout, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
vfprintf(FILE *restrict stream, const char *restrict format, va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(vfprintf)(stream, format, args);

    IO_RECORD(io_streamed, since, fprintf, stream, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
vdprintf(int fd, const char *restrict format, va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(vdprintf)(fd, format, args);

    IO_RECORD(io_moved, since, dprintf, fd, n);
    return n;
}

WRAPPER int
__printf_chk(int flag, const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(__vprintf_chk)(flag, format, args);
    va_end(args);
    IO_RECORD(io_streamed, since, printf, stdout, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
__fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(__vfprintf_chk)(stream, flag, format, args);
    va_end(args);
    IO_RECORD(io_streamed, since, fprintf, stream, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
__dprintf_chk(int fd, int flag, const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(__vdprintf_chk)(fd, flag, format, args);
    va_end(args);
    IO_RECORD(io_moved, since, dprintf, fd, n);
    return n;
}

WRAPPER int
__vprintf_chk(int flag, const char *restrict format, va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(__vprintf_chk)(flag, format, args);

    IO_RECORD(io_streamed, since, printf, stdout, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
__vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format,
               va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(__vfprintf_chk)(stream, flag, format, args);

    IO_RECORD(io_streamed, since, fprintf, stream, n > 0 ? (u64)n : 0, n < 0);
    return n;
}

WRAPPER int
__vdprintf_chk(int fd, int flag, const char *restrict format, va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(__vdprintf_chk)(fd, flag, format, args);

    IO_RECORD(io_moved, since, dprintf, fd, n);
    return n;
}

WRAPPER int
__isoc99_scanf(const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(__isoc99_vscanf)(format, args);
    va_end(args);
    IO_RECORD(io_streamed, since, scanf, stdin, 0, n < 0 && ferror_unlocked(stdin));
    return n;
}

WRAPPER int
__isoc99_fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    int n;

    va_start(args, format);
    n = IO_REAL(__isoc99_vfscanf)(stream, format, args);
    va_end(args);
    IO_RECORD(io_streamed, since, scanf, stream, 0, n < 0 && ferror_unlocked(stream));
    return n;
}

WRAPPER int
__isoc99_vscanf(const char *restrict format, va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(__isoc99_vscanf)(format, args);

    IO_RECORD(io_streamed, since, scanf, stdin, 0, n < 0 && ferror_unlocked(stdin));
    return n;
}

WRAPPER int
__isoc99_vfscanf(FILE *restrict stream, const char *restrict format, va_list args)
{
    u64 since = IO_BEGIN();
    int n = IO_REAL(__isoc99_vfscanf)(stream, format, args);

    IO_RECORD(io_streamed, since, scanf, stream, 0, n < 0 && ferror_unlocked(stream));
    return n;
}
