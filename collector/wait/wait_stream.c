/* SPDX-License-Identifier: Apache-2.0 */
/* Streams. What only touches a buffer is let through at once. */
#include "collector/hook/real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

static int
has_input(const FILE *stream)
{
    return stream->_IO_read_ptr < stream->_IO_read_end;
}

static int
has_room(const FILE *stream)
{
    return stream->_IO_write_ptr < stream->_IO_write_end;
}

WRAPPER FILE *
fopen(const char *restrict path, const char *restrict mode)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fopen)(path, mode));
}

WRAPPER FILE *
fopen64(const char *restrict path, const char *restrict mode)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fopen64)(path, mode));
}

WRAPPER int
fclose(FILE *stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fclose)(stream));
}

WRAPPER int
pclose(FILE *stream)
{
    return WAIT_BRIEFLY(MSTATE_SLEEP, WAIT_REAL(pclose)(stream));
}

WRAPPER int
fflush(FILE *stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fflush)(stream));
}

WRAPPER int
fseek(FILE *stream, long at, int whence)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fseek)(stream, at, whence));
}

WRAPPER size_t
fread(void *restrict buf, size_t size, size_t count, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fread)(buf, size, count, stream));
}

WRAPPER size_t
fread_unlocked(void *restrict buf, size_t size, size_t count, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fread_unlocked)(buf, size, count, stream));
}

WRAPPER size_t
__fread_chk(void *restrict buf, size_t room, size_t size, size_t count,
            FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO,
                        WAIT_REAL(__fread_chk)(buf, room, size, count, stream));
}

WRAPPER size_t
fwrite(const void *restrict buf, size_t size, size_t count, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fwrite)(buf, size, count, stream));
}

WRAPPER size_t
fwrite_unlocked(const void *restrict buf, size_t size, size_t count,
                FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO,
                        WAIT_REAL(fwrite_unlocked)(buf, size, count, stream));
}

WRAPPER char *
fgets(char *restrict text, int size, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fgets)(text, size, stream));
}

WRAPPER char *
fgets_unlocked(char *restrict text, int size, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fgets_unlocked)(text, size, stream));
}

WRAPPER char *
__fgets_chk(char *restrict text, size_t room, int size, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__fgets_chk)(text, room, size, stream));
}

WRAPPER ssize_t
getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(getline)(line, size, stream));
}

WRAPPER ssize_t
getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(getdelim)(line, size, end, stream));
}

WRAPPER ssize_t
__getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__getdelim)(line, size, end, stream));
}

WRAPPER int
getc(FILE *stream)
{
    if (ER_LIKELY(has_input(stream)))
        return WAIT_REAL(getc)(stream);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(getc)(stream));
}

WRAPPER int
fgetc(FILE *stream)
{
    if (ER_LIKELY(has_input(stream)))
        return WAIT_REAL(fgetc)(stream);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fgetc)(stream));
}

WRAPPER int
_IO_getc(FILE *stream)
{
    if (ER_LIKELY(has_input(stream)))
        return WAIT_REAL(_IO_getc)(stream);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(_IO_getc)(stream));
}

WRAPPER int
getchar(void)
{
    if (ER_LIKELY(has_input(stdin)))
        return WAIT_REAL(getchar)();
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(getchar)());
}

WRAPPER int
getc_unlocked(FILE *stream)
{
    if (ER_LIKELY(has_input(stream)))
        return WAIT_REAL(getc_unlocked)(stream);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(getc_unlocked)(stream));
}

WRAPPER int
getchar_unlocked(void)
{
    if (ER_LIKELY(has_input(stdin)))
        return WAIT_REAL(getchar_unlocked)();
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(getchar_unlocked)());
}

/* What inlined getc_unlocked() and putc_unlocked() call at a buffer's end. */
WRAPPER int
__uflow(FILE *stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__uflow)(stream));
}

WRAPPER int
__overflow(FILE *stream, int c)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__overflow)(stream, c));
}

WRAPPER int
fputs(const char *restrict text, FILE *restrict stream)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fputs)(text, stream));
}

WRAPPER int
puts(const char *text)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(puts)(text));
}

WRAPPER int
putc(int c, FILE *stream)
{
    if (ER_LIKELY(has_room(stream)))
        return WAIT_REAL(putc)(c, stream);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(putc)(c, stream));
}

WRAPPER int
fputc(int c, FILE *stream)
{
    if (ER_LIKELY(has_room(stream)))
        return WAIT_REAL(fputc)(c, stream);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(fputc)(c, stream));
}

WRAPPER int
_IO_putc(int c, FILE *stream)
{
    if (ER_LIKELY(has_room(stream)))
        return WAIT_REAL(_IO_putc)(c, stream);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(_IO_putc)(c, stream));
}

WRAPPER int
putchar(int c)
{
    if (ER_LIKELY(has_room(stdout)))
        return WAIT_REAL(putchar)(c);
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(putchar)(c));
}

WRAPPER int
vprintf(const char *restrict format, va_list args)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(vprintf)(format, args));
}

WRAPPER int
vfprintf(FILE *restrict stream, const char *restrict format, va_list args)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(vfprintf)(stream, format, args));
}

WRAPPER int
vdprintf(int fd, const char *restrict format, va_list args)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(vdprintf)(fd, format, args));
}

WRAPPER int
__vprintf_chk(int flag, const char *restrict format, va_list args)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__vprintf_chk)(flag, format, args));
}

WRAPPER int
__vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format,
               va_list args)
{
    return WAIT_BRIEFLY(MSTATE_IO,
                        WAIT_REAL(__vfprintf_chk)(stream, flag, format, args));
}

WRAPPER int
__isoc99_vscanf(const char *restrict format, va_list args)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__isoc99_vscanf)(format, args));
}

WRAPPER int
__isoc99_vfscanf(FILE *restrict stream, const char *restrict format, va_list args)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__isoc99_vfscanf)(stream, format, args));
}

WRAPPER int
printf(const char *restrict format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(vprintf)(format, args));
    va_end(args);
    return n;
}

WRAPPER int
fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(vfprintf)(stream, format, args));
    va_end(args);
    return n;
}

WRAPPER int
dprintf(int fd, const char *restrict format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(vdprintf)(fd, format, args));
    va_end(args);
    return n;
}

WRAPPER int
__printf_chk(int flag, const char *restrict format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__vprintf_chk)(flag, format, args));
    va_end(args);
    return n;
}

WRAPPER int
__fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__vfprintf_chk)(stream, flag, format, args));
    va_end(args);
    return n;
}

WRAPPER int
__isoc99_scanf(const char *restrict format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__isoc99_vscanf)(format, args));
    va_end(args);
    return n;
}

WRAPPER int
__isoc99_fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(__isoc99_vfscanf)(stream, format, args));
    va_end(args);
    return n;
}
