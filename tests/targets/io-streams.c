/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls each function of stdio that I/O tracing knows, and prints how often, how many
 * bytes and what failed. Its standard input is the file that it writes first.
 *
 * Fortified and with 64-bit offsets the same lines call other functions of libc.
 */
/* build: -O1 -g -fno-builtin -D__NO_INLINE__ */
/* build: name=chk -O2 -fno-builtin -D__NO_INLINE__ -D_FORTIFY_SOURCE=2 -DLFS */
/* link: -I@S@/../.. @S@/../../share/iocall.c */
#define _GNU_SOURCE
#ifdef LFS
#define _FILE_OFFSET_BITS 64
#endif
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "io-own.h"

#undef fread_unlocked
#undef fwrite_unlocked

/* In no header. */
int _IO_getc(FILE *);
int _IO_putc(int, FILE *);
ssize_t __getdelim(char **, size_t *, int, FILE *);

static volatile int two = 2; /* nothing that the compiler could check */
static char buf[4096];

__attribute__((format(printf, 1, 2))) static int
with_list(const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = (int)MOVED(printf, vprintf(format, args));
    va_end(args);
    return n;
}

__attribute__((format(printf, 3, 4))) static int
with_list_to(FILE *f, int fd, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    if (f)
        n = (int)MOVED(fprintf, vfprintf(f, format, args));
    else
        n = (int)MOVED(dprintf, vdprintf(fd, format, args));
    va_end(args);
    return n;
}

static void
write_text(FILE *f)
{
    MUST(MOVED(fwrite, fwrite(buf, 1, 100, f)) == 100);
    MUST(fwrite_unlocked(buf, 10, 5, f) == 5);
    own_did(IOCALL_fwrite, 50, 0);
    BYTES(fputs, 7, fputs("a line\n", f));
    BYTES(fputs, 3, fputs_unlocked("two", f));
    BYTES(putc, 1, putc('\n', f));
    BYTES(putc, 1, fputc('a', f));
    BYTES(putc, 1, _IO_putc('b', f));
    BYTES(putc, 1, putc_unlocked('c', f));
    BYTES(putc, 1, fputc_unlocked('\n', f));
    MUST(MOVED(fprintf, fprintf(f, "%d and %s\n", two, "more")) == 11);
    MUST(with_list_to(f, 0, "%d or %s\n", two, "less") == 10);
    MUST(DONE(fflush, fflush(f)) == 0);
    MUST(DONE(fflush, fflush_unlocked(f)) == 0);
    MUST(DONE(fflush, fflush(NULL)) == 0);
    MUST(MOVED(dprintf, dprintf(fileno(f), "%d straight\n", two)) == 11);
    MUST(with_list_to(NULL, fileno(f), "%d\n", two * 1000) == 5);
}

/* To a standard output that is the file s. */
static void
write_output(void)
{
    BYTES(puts, 8, puts("puts me"));
    BYTES(putc, 1, putchar('x'));
    BYTES(putc, 1, putchar_unlocked('\n'));
    MUST(MOVED(printf, printf("%d of %s\n", two, "them")) == 10);
    MUST(with_list("%s\n", "list") == 5);
}

static void
seek(FILE *f)
{
    fpos_t at;
    fpos64_t at64;

    MUST(DONE(fseek, fseek(f, 0, SEEK_SET)) == 0);
    MUST(DONE(fseek, fseeko(f, 5, SEEK_SET)) == 0);
    MUST(DONE(fseek, fseeko64(f, 6, SEEK_SET)) == 0);
    MUST(DONE(ftell, ftell(f)) == 6);
    MUST(DONE(ftell, ftello(f)) == 6);
    MUST(DONE(ftell, ftello64(f)) == 6);
    MUST(DONE(ftell, fgetpos(f, &at)) == 0);
    MUST(DONE(ftell, fgetpos64(f, &at64)) == 0);
    MUST(DONE(fseek, fsetpos(f, &at)) == 0);
    MUST(DONE(fseek, fsetpos64(f, &at64)) == 0);
    DONE(fseek, fseek(f, -1, SEEK_SET));
    VOID(fseek, rewind(f));
}

static void
read_text(FILE *f)
{
    size_t n = (size_t)two, room = 0;
    char *line = NULL;

    MUST(MOVED(fread, fread(buf, 1, n * 70, f)) == 140);
    MUST(fread_unlocked(buf, 5, n, f) == 2);
    own_did(IOCALL_fread, 10, 0);
    MUST(fgets(buf, two * 50, f));
    own_did(IOCALL_fgets, (long)strlen(buf), 0);
    MUST(fgets_unlocked(buf, two + 1, f));
    own_did(IOCALL_fgets, 2, 0);
    MUST(MOVED(getline, getline(&line, &room, f)) == 2);
    BYTES(getc, 1, getc(f));
    BYTES(getc, 1, fgetc(f));
    BYTES(getc, 1, _IO_getc(f));
    BYTES(getc, 1, getc_unlocked(f));
    MUST(MOVED(getline, getdelim(&line, &room, ' ', f)) == 2);
    MUST(MOVED(getline, __getdelim(&line, &room, '\n', f)) == 9);
    BYTES(getc, 1, fgetc_unlocked(f));
    BYTES(scanf, 0, fscanf(f, "%*[^\n]"));
    while (fread(buf, 1, n * 10, f) == n * 10)
        own_did(IOCALL_fread, (long)n * 10, 0);
    MUST(feof(f));
    own_did(IOCALL_fread, 17, 0);
    BYTES(getc, 0, getc(f));
    MUST(!fgets(buf, two * 50, f));
    own_did(IOCALL_fgets, 0, 0);
    free(line);
}

static void
read_input(void)
{
    int number;

    BYTES(getc, 1, getchar());
    BYTES(getc, 1, getchar_unlocked());
    BYTES(scanf, 0, scanf("%d", &number));
}

static int
scan(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    BYTES(scanf, 0, vscanf(format, args));
    va_end(args);
    return 0;
}

static int
scan_from(FILE *f, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    BYTES(scanf, 0, vfscanf(f, format, args));
    va_end(args);
    return 0;
}

static void
failures(void)
{
    FILE *f = GOT(fopen, fopen("s", "r"));

    MUST(f && fwrite(buf, 1, 10, f) == 0);
    own_did(IOCALL_fwrite, 0, errno);
    MUST(DONE(fclose, fclose(f)) == 0);
    GOT(fopen, fopen("nowhere/x", "r"));
    GOT(fdopen, fdopen(555, "r"));
    f = GOT(fopen, fopen("/dev/full", "w"));
    MUST(f && MOVED(fwrite, fwrite(buf, 1, 10, f)) == 10);
    MUST(DONE(fflush, fflush(f)) < 0);
    MUST(fclose(f) < 0 || two);
    own_did(IOCALL_fclose, 0, 0);
}

/* Streams without a descriptor are calls all the same. */
static void
in_memory(void)
{
    FILE *f = fmemopen(buf, sizeof(buf), "w");

    MUST(f && MOVED(fprintf, fprintf(f, "%d\n", two)) == 2);
    MUST(DONE(fclose, fclose(f)) == 0);
}

int
main(void)
{
    FILE *f, *g;

    own_fd = 2;
    MUST(f = GOT(fopen, fopen("s", "w+")));
    memset(buf, '-', sizeof(buf));
    write_text(f);
    seek(f);
    read_text(f);
    MUST(GOT(freopen, freopen64("s", "a", stdout)));
    write_output();
    MUST(DONE(fclose, fclose(f)) == 0);
    g = GOT(fopen, fopen64("n", "w+"));
    MUST(g && MOVED(fprintf, fprintf(g, "ab%d 7 8", 11)) == 8);
    MUST(DONE(fclose, fclose(g)) == 0);
    MUST(GOT(freopen, freopen("n", "r", stdin)));
    read_input();
    scan("%*d");
    scan_from(stdin, "%*d");
    MUST((g = GOT(tmpfile, tmpfile())) && DONE(fclose, fclose(g)) == 0);
    MUST((g = GOT(tmpfile, tmpfile64())) && DONE(fclose, fclose(g)) == 0);
    MUST((g = popen("exit 3", "r")) && pclose(g) == 3 << 8);
    VOID(fclose, 0);
    g = GOT(fdopen, fdopen((int)DONE(open, open("n", O_RDONLY)), "r"));
    MUST(g && DONE(fclose, fclose(g)) == 0);
    failures();
    in_memory();
    own_tell();
    return 0;
}
