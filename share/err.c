/* SPDX-License-Identifier: Apache-2.0 */
#include "share/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *err_program = "ertools";
static int err_out = STDERR_FILENO;

void
err_start(const char *program, int fd)
{
    err_program = program;
    err_out = fd;
}

int
err_fd(void)
{
    return err_out;
}

/*
 * How many bytes at p are one character that a terminal shows, and does not take as a
 * command; 0 = they are not.
 */
static unsigned
shown(const unsigned char *p)
{
    unsigned n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

    if (p[0] < 0x20 || p[0] == 0x7f || (p[0] >= 0x80 && p[0] < 0xc2) || p[0] > 0xf4 ||
        (p[0] == 0xc2 && p[1] < 0xa0))
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Copy text; control characters other than those in `but` are written as \xNN. */
static char *
harmless(const char *text, const char *but)
{
    const unsigned char *p = (const unsigned char *)text;
    char *copy = malloc(4 * strlen(text) + 1), *to = copy;
    unsigned n;

    for (; copy && *p; p += n) {
        n = strchr(but, *p) ? 1 : shown(p);
        if (n)
            to = mempcpy(to, p, n);
        else
            to += sprintf(to, "\\x%02x", *p), n = 1;
    }
    if (copy)
        *to = '\0';
    return copy;
}

static __attribute__((format(printf, 2, 0))) void
put(const char *prefix, const char *format, va_list args)
{
    char *text = NULL, *line = NULL, *raw;
    int len;

    if (vasprintf(&raw, format, args) < 0)
        return;
    /*
     * The text may contain names from anywhere, so control characters are escaped. Line
     * ends stay only if the format has some, too.
     */
    text = harmless(raw, strchr(format, '\n') ? "\t\n" : "\t");
    free(raw);
    if (!text)
        return;
    len = asprintf(&line, "%s%s%s\n", prefix ? prefix : "", prefix ? ": " : "", text);
    /* If this fails, further messages go to stderr. */
    if (len > 0 && write(err_out, line, (size_t)len) < 0)
        err_out = STDERR_FILENO;
    free(line);
    free(text);
}

void
err_print(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put(NULL, format, args);
    va_end(args);
}

void
err_warn(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put(err_program, format, args);
    va_end(args);
}

void
err_die(int status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put(err_program, format, args);
    va_end(args);
    exit(status);
}
