/* SPDX-License-Identifier: Apache-2.0 */
#include "share/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

static void
put(const char *prefix, const char *format, va_list args)
{
    char *text = NULL, *line = NULL;
    int len;

    if (vasprintf(&text, format, args) < 0)
        return;
    len = asprintf(&line, "%s%s%s\n", prefix ? prefix : "", prefix ? ": " : "", text);
    /* There is nobody left to tell when this fails. */
    if (len > 0 && write(err_out, line, (size_t)len) < 0)
        err_out = STDERR_FILENO;
    free(line);
    free(text);
}

void
err_say(const char *format, ...)
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
