/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "collector/sig/sys.h"

enum {
    BUFFER = 16384, /* more than a line: PATH_MAX and the numbers */
};

static u64
number(const char **p, u32 base)
{
    u64 value = 0;

    for (;; (*p)++) {
        char c = **p;
        u32 digit = c >= '0' && c <= '9'   ? (u32)(c - '0')
                    : c >= 'a' && c <= 'f' ? (u32)(c - 'a') + 10
                                           : 99;

        if (digit >= base)
            return value;
        value = value * base + digit;
    }
}

static void
skip(const char **p)
{
    if (**p)
        (*p)++;
}

static void
parse(const char *p, struct maps_line *line)
{
    line->lo = number(&p, 16);
    skip(&p);
    line->hi = number(&p, 16);
    skip(&p);
    line->executable = strnlen(p, 4) == 4 && p[2] == 'x';
    p += strcspn(p, " ");
    skip(&p);
    line->offset = number(&p, 16);
    skip(&p);
    line->major = (u32)number(&p, 16);
    skip(&p);
    line->minor = (u32)number(&p, 16);
    skip(&p);
    line->inode = number(&p, 10);
    p += strspn(p, " ");
    line->name = p;
}

/* Pass the complete lines of buf to each(); returns the bytes of an incomplete line. */
static size_t
hand_out(char *buf, size_t len, void (*each)(const struct maps_line *, void *),
         void *arg)
{
    char *p = buf, *end = buf + len;

    for (;;) {
        char *newline = memchr(p, '\n', (size_t)(end - p));
        struct maps_line line;

        if (!newline)
            break;
        *newline = 0;
        parse(p, &line);
        each(&line, arg);
        p = newline + 1;
    }
    memmove(buf, p, (size_t)(end - p));
    return (size_t)(end - p);
}

int
maps_read(void (*each)(const struct maps_line *, void *), void *arg)
{
    static const char path[] = "/proc/self/maps";
    char buf[BUFFER];
    size_t kept = 0;
    long fd, got;

    fd = sys_call4(SYS_openat, AT_FDCWD, (long)(uintptr_t)path, O_RDONLY | O_CLOEXEC,
                   0);
    if (fd < 0)
        return (int)fd;
    do {
        got = sys_call4(SYS_read, fd, (long)(uintptr_t)(buf + kept),
                        (long)(sizeof(buf) - kept), 0);
        if (got > 0)
            kept = hand_out(buf, kept + (size_t)got, each, arg);
    } while (got > 0 && kept < sizeof(buf));
    sys_call4(SYS_close, fd, 0, 0, 0);
    return got < 0 ? (int)got : 0;
}
