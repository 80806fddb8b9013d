/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/perfmap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/inspect/account.h"
#include "collector/madecode/madecode_state.h"
#include "collector/madecode/madewrite.h"
#include "collector/session/session.h"
#include "share/logxml.h"

enum {
    BUFFER = 65536,   /* bytes; a longer line is skipped, and counted as bad */
    ADDRESS_BITS = 47,
    SIZE_BITS = 28,   /* a line with a larger size is bad */
    LONGEST = 1 << 28, /* bytes of a file that are read, at most */
    SLACK_NS = 2000000000, /* a file counts as older only if it is older by this much */
};

static int
hex(const char **p, const char *end, u64 *value)
{
    const char *from = *p;

    if (end - *p > 2 && (*p)[0] == '0' && ((*p)[1] | 32) == 'x')
        from = *p += 2;
    for (*value = 0; *p < end; (*p)++) {
        u32 c = (unsigned char)**p | 32u;
        u32 digit = c >= '0' && c <= '9' ? c - '0' : c - 'a' + 10;

        if (digit > 15 || (c < 'a' && digit > 9))
            break;
        if (*value >> 60)
            return -EINVAL;
        *value = *value << 4 | digit;
    }
    return *p == from || *p == end || **p != ' ' ? -EINVAL : 0;
}

/*
 * Take a colon and a decimal number off the end of a text. Returns the number; 0 =
 * there is none.
 */
static u32
number_behind(const char *text, u32 *len)
{
    u32 at = *len, value = 0, scale = 1;

    while (at && text[at - 1] >= '0' && text[at - 1] <= '9' && *len - at < 8) {
        value += (u32)(text[--at] - '0') * scale;
        scale *= 10;
    }
    if (at == *len || !at || text[at - 1] != ':')
        return 0;
    *len = at - 1;
    return value;
}

/*
 * Find the source in a name. V8 writes names as `JS:*name /path/file.js:LINE:COLUMN`,
 * Python as `py::name:/path/file.py`.
 */
void
perfmap_source(struct perfmap_line *out)
{
    u32 len = out->name_len, last, line, at;

    last = number_behind(out->name, &len);
    line = number_behind(out->name, &len);
    out->number = line ? line : last;
    for (at = len; at; at--)
        if (out->name[at - 1] == ' ' || (!out->number && out->name[at - 1] == ':'))
            break;
    if (at && len - at > 7 && !memcmp(out->name + at, "file://", 7))
        at += 7;
    if (at && at < len && out->name[at] == '/') {
        out->source = out->name + at;
        out->source_len = len - at;
    } else {
        out->number = 0;
    }
}

int
perfmap_parse(const char *line, size_t len, struct perfmap_line *out)
{
    const char *p = line, *end = line + len;
    struct perfmap_line new = { 0 };

    if (hex(&p, end, &new.addr) < 0)
        return -EINVAL;
    p++;
    if (hex(&p, end, &new.size) < 0)
        return -EINVAL;
    p++;
    if (p == end || !new.size || new.size >> SIZE_BITS || new.addr >> ADDRESS_BITS)
        return -EINVAL;
    new.name = p;
    new.name_len = (u32)(end - p);
    if (end[-1] == '\r' && --new.name_len == 0)
        return -EINVAL;
    perfmap_source(&new);
    *out = new;
    return 0;
}

/*
 * Record a function. Those that the first look finds may have existed since the start.
 */
static int
put_function(struct recording *s, const struct perfmap_line *line)
{
    struct perfmap *p = &s->madecode->perfmap;
    const struct rec_made made = {
        .since = p->since ? p->since : MADE_ALWAYS,
        .addr = line->addr,
        .size = line->size,
        .origin = MADE_BY_PERF_MAP,
        .line = line->number,
        .name = { line->name, line->name_len },
    };
    const struct rec_source source = { .path = { line->source, line->source_len } };
    int ret = madewrite_made(s, &made);

    if (ret == 0 && line->source_len)
        ret = madewrite_source(s, &source);
    p->functions++;
    return ret;
}

/*
 * Record the functions of all complete lines of a text. Returns how many bytes these
 * lines have.
 */
static size_t
put_lines(struct recording *s, const char *text, size_t len, int *ret)
{
    const char *at = text, *end = text + len, *newline;

    while (*ret == 0 && (newline = memchr(at, '\n', (size_t)(end - at)))) {
        struct perfmap_line line;

        if (perfmap_parse(at, (size_t)(newline - at), &line) == 0)
            *ret = put_function(s, &line);
        else
            s->madecode->perfmap.bad++;
        at = newline + 1;
    }
    /* Skip a line that fills the buffer. */
    if (at == text && len == BUFFER) {
        s->madecode->perfmap.bad++;
        at = end;
    }
    return (size_t)(at - text);
}

static void
read_more(struct recording *s, int fd)
{
    struct perfmap *p = &s->madecode->perfmap;
    char *text = malloc(BUFFER);
    int ret = 0;

    while (text && ret == 0 && p->read < LONGEST) {
        ssize_t got = pread(fd, text, BUFFER, (off_t)p->read);
        size_t used = got > 0 ? put_lines(s, text, (size_t)got, &ret) : 0;

        if (!used)
            break;
        p->read += used;
    }
    free(text);
    (void)madewrite_flush(s);
}

static u32
checksum(int fd, u64 bytes)
{
    char text[4096];
    u32 crc = 0;

    for (u64 at = 0; at < bytes;) {
        size_t len = bytes - at < sizeof(text) ? (size_t)(bytes - at) : sizeof(text);
        ssize_t got = pread(fd, text, len, (off_t)at);

        if (got <= 0)
            return ~crc;
        crc = crc32c(crc, text, (size_t)got);
        at += (u64)got;
    }
    return crc;
}

/*
 * If the file is older than the process, an earlier process with the same pid wrote it:
 * keep its length and checksum for find_place(). This process may overwrite the file,
 * or append to it; then only what comes after that length is its own.
 */
static void
check_stale(struct recording *s, int fd, const struct stat *st)
{
    struct perfmap *p = &s->madecode->perfmap;
    u64 written = (u64)st->st_mtim.tv_sec * 1000000000u + (u64)st->st_mtim.tv_nsec;

    if (written + SLACK_NS >= s->start.wall)
        return;
    p->was_there = 1;
    if (st->st_size <= 0 || st->st_size > LONGEST)
        return;
    p->stale = (u64)st->st_size;
    p->stale_crc = checksum(fd, p->stale);
}

/* Is uid our effective user, or that of the process? We read only their files. */
static int
is_user(const struct recording *s, uid_t uid)
{
    char text[1024], *line;
    unsigned effective;

    if (uid == geteuid())
        return 1;
    account_read_text(s->pid, "status", text, sizeof(text));
    line = strstr(text, "\nUid:");
    return line && sscanf(line, "\nUid: %*u %u", &effective) == 1 && effective == uid;
}

/*
 * The process's pid in its innermost PID namespace: the last number of the line NSpid.
 */
static u32
own_pid(const struct recording *s)
{
    char text[4096], *line, *end;
    u32 pid = (u32)s->pid;

    account_read_text(s->pid, "status", text, sizeof(text));
    line = strstr(text, "\nNSpid:");
    if (!line)
        return pid;
    end = line + 1 + strcspn(line + 1, "\n");
    for (char *p = line + 7; p < end;) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if (p < end)
            pid = (u32)strtoul(p, &p, 10);
        else
            break;
    }
    return pid;
}

/*
 * Open the file, if it is a regular file of our user or of the process's: anybody may
 * put anything into /tmp. 1 if it is open, or 0.
 */
static int
open_plain(struct recording *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return 0;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !is_user(s, st.st_uid)) {
        close(fd);
        return 0;
    }
    check_stale(s, fd, &st);
    s->madecode->perfmap.file = fd + 1;
    return 1;
}

/*
 * Open the file in the process's own root directory. A process that has ended has none;
 * then try ours, which is mostly the same.
 */
static void
open_map(struct recording *s)
{
    struct perfmap *p = &s->madecode->perfmap;
    char path[64];

    if (!p->pid)
        p->pid = own_pid(s);
    snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-%u.map", (int)s->pid, p->pid);
    if (open_plain(s, path))
        return;
    snprintf(path, sizeof(path), "/tmp/perf-%u.map", p->pid);
    if (p->pid == (u32)s->pid)
        (void)open_plain(s, path);
}

/*
 * Set where to continue reading. A file that has become shorter is read again from its
 * start. While it has only an earlier process's bytes, nothing of it is read; once it
 * has changed, skip these bytes if they are still there.
 */
static void
find_place(struct perfmap *p, int fd, const struct stat *st)
{
    if ((u64)st->st_size < p->read)
        p->read = 0;
    if (p->stale && (u64)st->st_size != p->stale) {
        int same = (u64)st->st_size > p->stale &&
                   checksum(fd, p->stale) == p->stale_crc;

        p->read = same ? p->stale : 0;
        p->stale = 0;
    }
}

void
perfmap_read_new(struct recording *s)
{
    struct perfmap *p = &s->madecode->perfmap;
    u64 now = moment_mono();
    struct stat st;

    if (!p->file)
        open_map(s);
    if (p->file && fstat(p->file - 1, &st) == 0) {
        find_place(p, p->file - 1, &st);
        if (!p->stale && (u64)st.st_size > p->read)
            read_more(s, p->file - 1);
    }
    p->since = now;
}

static void
log_bad(const struct recording *s)
{
    const struct perfmap *p = &s->madecode->perfmap;
    char path[64], number[16];

    if (!p->bad)
        return;
    snprintf(path, sizeof(path), "/tmp/perf-%u.map", p->pid);
    snprintf(number, sizeof(number), "%u", p->bad);
    (void)log_event(s->experiment.log, EVENT_bad_perf_map, moment_mono(), path, number,
                    NULL, 0);
}

/*
 * Remove the file if it is the one that we have opened, unless an earlier process has
 * left it.
 */
static void
remove_own(const struct recording *s)
{
    const struct perfmap *p = &s->madecode->perfmap;
    struct stat opened, there;
    char path[64];

    snprintf(path, sizeof(path), "/tmp/perf-%u.map", p->pid);
    if (p->file && !p->was_there && fstat(p->file - 1, &opened) == 0 &&
        lstat(path, &there) == 0 && opened.st_dev == there.st_dev &&
        opened.st_ino == there.st_ino)
        (void)unlink(path);
}

void
perfmap_end(struct recording *s)
{
    struct perfmap *p = &s->madecode->perfmap;

    /*
     * After an exec the file belongs to the new program, which appends to it or
     * truncates it. So neither read nor remove it.
     */
    if (!s->became) {
        perfmap_read_new(s);
        log_bad(s);
        if (s->request->jit)
            remove_own(s);
    }
    if (p->file)
        close(p->file - 1);
    memset(p, 0, sizeof(*p));
}
