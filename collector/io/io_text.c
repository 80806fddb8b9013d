/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, lines and characters. The bytes of a line end at its first 0. */
#include <string.h>

#include "collector/io/io_record.h"
#include "collector/hook/real.h"

/* Nothing more came: an error, and not the end? */
#define FAILED(stream) (ferror_unlocked(stream) != 0)

WRAPPER size_t
fread(void *restrict buf, size_t size, size_t count, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    size_t n = IO_REAL(fread)(buf, size, count, stream);

    IO_RECORD(io_streamed, since, fread, stream, n * size, n < count && FAILED(stream));
    return n;
}

WRAPPER size_t
fread_unlocked(void *restrict buf, size_t size, size_t count, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    size_t n = IO_REAL(fread_unlocked)(buf, size, count, stream);

    IO_RECORD(io_streamed, since, fread, stream, n * size, n < count && FAILED(stream));
    return n;
}

WRAPPER size_t
__fread_chk(void *restrict buf, size_t room, size_t size, size_t count,
            FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    size_t n = IO_REAL(__fread_chk)(buf, room, size, count, stream);

    IO_RECORD(io_streamed, since, fread, stream, n * size, n < count && FAILED(stream));
    return n;
}

WRAPPER size_t
__fread_unlocked_chk(void *restrict buf, size_t room, size_t size, size_t count,
                     FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    size_t n = IO_REAL(__fread_unlocked_chk)(buf, room, size, count, stream);

    IO_RECORD(io_streamed, since, fread, stream, n * size, n < count && FAILED(stream));
    return n;
}

WRAPPER size_t
fwrite(const void *restrict buf, size_t size, size_t count, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    size_t n = IO_REAL(fwrite)(buf, size, count, stream);

    IO_RECORD(io_streamed, since, fwrite, stream, n * size, size && n < count);
    return n;
}

WRAPPER size_t
fwrite_unlocked(const void *restrict buf, size_t size, size_t count,
                FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    size_t n = IO_REAL(fwrite_unlocked)(buf, size, count, stream);

    IO_RECORD(io_streamed, since, fwrite, stream, n * size, size && n < count);
    return n;
}

WRAPPER char *
fgets(char *restrict buf, int size, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    char *got = IO_REAL(fgets)(buf, size, stream);

    IO_RECORD(io_streamed, since, fgets, stream, got ? strlen(got) : 0,
              !got && FAILED(stream));
    return got;
}

WRAPPER char *
fgets_unlocked(char *restrict buf, int size, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    char *got = IO_REAL(fgets_unlocked)(buf, size, stream);

    IO_RECORD(io_streamed, since, fgets, stream, got ? strlen(got) : 0,
              !got && FAILED(stream));
    return got;
}

WRAPPER char *
__fgets_chk(char *restrict buf, size_t room, int size, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    char *got = IO_REAL(__fgets_chk)(buf, room, size, stream);

    IO_RECORD(io_streamed, since, fgets, stream, got ? strlen(got) : 0,
              !got && FAILED(stream));
    return got;
}

WRAPPER char *
__fgets_unlocked_chk(char *restrict buf, size_t room, int size, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    char *got = IO_REAL(__fgets_unlocked_chk)(buf, room, size, stream);

    IO_RECORD(io_streamed, since, fgets, stream, got ? strlen(got) : 0,
              !got && FAILED(stream));
    return got;
}

WRAPPER int
getc(FILE *stream)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(getc)(stream);

    IO_RECORD(io_streamed, since, getc, stream, c != EOF, c == EOF && FAILED(stream));
    return c;
}

WRAPPER int
fgetc(FILE *stream)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(fgetc)(stream);

    IO_RECORD(io_streamed, since, getc, stream, c != EOF, c == EOF && FAILED(stream));
    return c;
}

WRAPPER int
_IO_getc(FILE *stream)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(_IO_getc)(stream);

    IO_RECORD(io_streamed, since, getc, stream, c != EOF, c == EOF && FAILED(stream));
    return c;
}

WRAPPER int
getc_unlocked(FILE *stream)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(getc_unlocked)(stream);

    IO_RECORD(io_streamed, since, getc, stream, c != EOF, c == EOF && FAILED(stream));
    return c;
}

WRAPPER int
fgetc_unlocked(FILE *stream)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(fgetc_unlocked)(stream);

    IO_RECORD(io_streamed, since, getc, stream, c != EOF, c == EOF && FAILED(stream));
    return c;
}

/*
 * Where getc_unlocked() is inlined, the program calls this when the buffer is empty.
 * All that is in it then counts: the rest is taken without a call.
 */
WRAPPER int
__uflow(FILE *stream)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(__uflow)(stream);
    u64 got = c == EOF ? 0 : 1 + (u64)(stream->_IO_read_end - stream->_IO_read_ptr);

    IO_RECORD(io_streamed, since, getc, stream, got, c == EOF && FAILED(stream));
    return c;
}

/*
 * The same of putc_unlocked() and a full buffer. What is in it may have been counted,
 * by calls that were seen; so this is one byte.
 */
WRAPPER int
__overflow(FILE *stream, int c)
{
    u64 since = IO_BEGIN();
    int put = IO_REAL(__overflow)(stream, c);

    IO_RECORD(io_streamed, since, putc, stream, put != EOF, put == EOF);
    return put;
}

WRAPPER int
getchar(void)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(getchar)();

    IO_RECORD(io_streamed, since, getc, stdin, c != EOF, c == EOF && FAILED(stdin));
    return c;
}

WRAPPER int
getchar_unlocked(void)
{
    u64 since = IO_BEGIN();
    int c = IO_REAL(getchar_unlocked)();

    IO_RECORD(io_streamed, since, getc, stdin, c != EOF, c == EOF && FAILED(stdin));
    return c;
}

WRAPPER ssize_t
getline(char **restrict line, size_t *restrict room, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(getline)(line, room, stream);

    IO_RECORD(io_streamed, since, getline, stream, n > 0 ? (u64)n : 0,
              n < 0 && FAILED(stream));
    return n;
}

WRAPPER ssize_t
getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(getdelim)(line, room, end, stream);

    IO_RECORD(io_streamed, since, getline, stream, n > 0 ? (u64)n : 0,
              n < 0 && FAILED(stream));
    return n;
}

WRAPPER ssize_t
__getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(__getdelim)(line, room, end, stream);

    IO_RECORD(io_streamed, since, getline, stream, n > 0 ? (u64)n : 0,
              n < 0 && FAILED(stream));
    return n;
}

WRAPPER int
fputs(const char *restrict text, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fputs)(text, stream);

    IO_RECORD(io_streamed, since, fputs, stream, result < 0 ? 0 : strlen(text),
              result < 0);
    return result;
}

WRAPPER int
fputs_unlocked(const char *restrict text, FILE *restrict stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fputs_unlocked)(text, stream);

    IO_RECORD(io_streamed, since, fputs, stream, result < 0 ? 0 : strlen(text),
              result < 0);
    return result;
}

WRAPPER int
puts(const char *text)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(puts)(text);

    IO_RECORD(io_streamed, since, puts, stdout, result < 0 ? 0 : strlen(text) + 1,
              result < 0);
    return result;
}

WRAPPER int
putc(int c, FILE *stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(putc)(c, stream);

    IO_RECORD(io_streamed, since, putc, stream, result != EOF, result == EOF);
    return result;
}

WRAPPER int
fputc(int c, FILE *stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fputc)(c, stream);

    IO_RECORD(io_streamed, since, putc, stream, result != EOF, result == EOF);
    return result;
}

WRAPPER int
_IO_putc(int c, FILE *stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(_IO_putc)(c, stream);

    IO_RECORD(io_streamed, since, putc, stream, result != EOF, result == EOF);
    return result;
}

WRAPPER int
putc_unlocked(int c, FILE *stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(putc_unlocked)(c, stream);

    IO_RECORD(io_streamed, since, putc, stream, result != EOF, result == EOF);
    return result;
}

WRAPPER int
fputc_unlocked(int c, FILE *stream)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fputc_unlocked)(c, stream);

    IO_RECORD(io_streamed, since, putc, stream, result != EOF, result == EOF);
    return result;
}

WRAPPER int
putchar(int c)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(putchar)(c);

    IO_RECORD(io_streamed, since, putc, stdout, result != EOF, result == EOF);
    return result;
}

WRAPPER int
putchar_unlocked(int c)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(putchar_unlocked)(c);

    IO_RECORD(io_streamed, since, putc, stdout, result != EOF, result == EOF);
    return result;
}
