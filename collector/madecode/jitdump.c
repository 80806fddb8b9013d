/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/jitdump.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/madecode/madecode_state.h"
#include "collector/madecode/madewrite.h"
#include "collector/madecode/perfmap.h"
#include "collector/session/session.h"
#include "share/logxml.h"

enum {
    MAGIC = 0x4a695444, /* "JiTD" */
    HEADER = 40,
    FLAG_TICKS = 1, /* times are ticks of the processor, not CLOCK_MONOTONIC ns */
    HEAD = 16,      /* bytes of the kind, size and time with which a record begins */
    LOAD = HEAD + 40,
    MOVE = HEAD + 48,
    DEBUG = HEAD + 16,
    ENTRY = 16, /* bytes of a line of DEBUG, without the name of its source */
    RECORD_MAX = 1 << 24,
    ADDRESS_BITS = 47,
    SIZE_BITS = 28,
    V8_OFFSET = 0x40, /* V8 adds it to the addresses of lines: an ELF header's size */
};

static u64
get(const unsigned char *p, u32 bytes)
{
    u64 value = 0;

    memcpy(&value, p, bytes);
    return value;
}

static int
parse_load(const unsigned char *p, size_t len, struct jitdump_record *r)
{
    const unsigned char *end;

    if (len < LOAD)
        return -EINVAL;
    r->addr = get(p + HEAD + 16, 8);
    r->size = get(p + HEAD + 24, 8);
    end = memchr(p + LOAD, 0, len - LOAD);
    if (!end || r->size != (u64)(p + len - end - 1))
        return -EINVAL;
    r->name = (struct jitdump_text){ (const char *)p + LOAD, (u32)(end - p - LOAD) };
    r->code = end + 1;
    r->kind = JITDUMP_LOAD;
    return 0;
}

static int
parse_move(const unsigned char *p, size_t len, struct jitdump_record *r)
{
    if (len < MOVE)
        return -EINVAL;
    r->old = get(p + HEAD + 16, 8);
    r->addr = get(p + HEAD + 24, 8);
    r->size = get(p + HEAD + 32, 8);
    r->kind = JITDUMP_MOVE;
    return 0;
}

/*
 * The number of a source, which is its index + 1. The name ff means the source of the
 * line before. 0 = no name, or there are too many sources.
 */
static u32
source_of(struct jitdump_record *r, const char *name, u32 len)
{
    if (len == 1 && (unsigned char)*name == 0xff)
        return r->nlines ? r->line[r->nlines - 1].source : 0;
    for (u32 i = 0; i < r->nsources; i++)
        if (r->source[i].len == len && !memcmp(r->source[i].s, name, len))
            return i + 1;
    if (!len || r->nsources == JITDUMP_SOURCES)
        return 0;
    r->source[r->nsources++] = (struct jitdump_text){ name, len };
    return r->nsources;
}

static int
parse_debug(const unsigned char *p, size_t len, struct jitdump_record *r)
{
    const unsigned char *at = p + DEBUG, *end = p + len, *zero;
    u64 count;

    if (len < DEBUG)
        return -EINVAL;
    r->addr = get(p + HEAD, 8);
    count = get(p + HEAD + 8, 8);
    for (u64 i = 0; i < count && r->nlines < JITDUMP_LINES; i++) {
        u32 source;

        if (end - at < ENTRY)
            return -EINVAL;
        zero = memchr(at + ENTRY, 0, (size_t)(end - at - ENTRY));
        if (!zero)
            return -EINVAL;
        source = source_of(r, (const char *)at + ENTRY, (u32)(zero - at - ENTRY));
        r->line[r->nlines++] = (struct jitdump_line){ get(at, 8),
                                                      (u32)get(at + 8, 4), source };
        at = zero + 1;
    }
    r->kind = JITDUMP_DEBUG;
    return 0;
}

int
jitdump_parse(const unsigned char *p, size_t len, struct jitdump_record *r)
{
    enum { KIND_LOAD, KIND_MOVE, KIND_DEBUG };
    int ret = 0;

    r->kind = JITDUMP_OTHER;
    r->nlines = r->nsources = 0;
    r->size = 1;
    if (len < HEAD)
        return -EINVAL;
    r->time = get(p + 8, 8);
    switch (get(p, 4)) {
    case KIND_LOAD:
        ret = parse_load(p, len, r);
        break;
    case KIND_MOVE:
        ret = parse_move(p, len, r);
        break;
    case KIND_DEBUG:
        ret = parse_debug(p, len, r);
        break;
    default:
        break;
    }
    if (ret == 0 && (r->addr >> ADDRESS_BITS || r->size >> SIZE_BITS || !r->size))
        r->kind = JITDUMP_OTHER;
    return ret;
}

/* The lines of the function whose record comes next in the file. */
struct lines {
    unsigned char *bytes; /* the record, to which `record` points; NULL = no lines */
    u64 at;               /* its offset in the file */
    struct jitdump_record record;
};

struct reading {
    struct recording *s;
    int fd;
    struct jitdump_record *record;
    struct lines lines;
};

static u64
since(const struct recording *s, u64 time)
{
    const struct jitdump *d = &s->madecode->jitdump;

    if (!(d->flags & FLAG_TICKS) && time > MADE_ALWAYS)
        return time;
    return d->since ? d->since : MADE_ALWAYS;
}

static int
is_of_v8(const struct jitdump_text *name)
{
    static const char *const kinds[] = { "JS:", "LazyCompile:", "Function:", "Script:",
                                         "Eval:" };

    for (u32 i = 0; i < ER_COUNT(kinds); i++) {
        size_t len = strlen(kinds[i]);

        if (name->len > len && !memcmp(name->s, kinds[i], len))
            return 1;
    }
    return 0;
}

static int
is_text(const struct jitdump_text *text)
{
    for (u32 i = 0; i < text->len; i++)
        if ((unsigned char)text->s[i] < ' ' || (unsigned char)text->s[i] >= 127)
            return 0;
    return text->len > 1;
}

static int
put_lines(struct recording *s, const struct jitdump_record *r,
          const struct jitdump_record *lines)
{
    u64 from = r->addr + (is_of_v8(&r->name) ? V8_OFFSET : 0);
    struct perfmap_line own = { .name = r->name.s, .name_len = r->name.len };
    int ret = 0;

    perfmap_source(&own);

    for (u32 i = 0; i < lines->nsources && ret == 0; i++) {
        struct er_str path = { lines->source[i].s, lines->source[i].len };

        /*
         * V8 sometimes writes bytes here that are not a name: then use the source of
         * the function's name.
         */
        if (!is_text(&lines->source[i]))
            path = (struct er_str){ own.source, own.source_len };
        ret = madewrite_source(s, &(struct rec_source){ .path = path });
    }
    for (u32 i = 0; i < lines->nlines && ret == 0; i++) {
        const struct jitdump_line *line = &lines->line[i];

        if (line->addr >= from && line->addr - from < r->size)
            ret = madewrite_line(s, &(struct rec_line){ .offset = line->addr - from,
                                                        .source = line->source,
                                                        .line = line->line });
    }
    return ret;
}

static int
put_code(struct recording *s, const struct jitdump_record *r)
{
    int ret = 0;

    for (u64 at = 0; at < r->size && ret == 0; at += ER_STR_MAX) {
        u64 left = r->size - at;
        u32 len = left < ER_STR_MAX ? (u32)left : ER_STR_MAX;

        ret = madewrite_bytes(s, &(struct rec_bytes){
                                     .code = { (const char *)r->code + at, len } });
    }
    return ret;
}

static int
put_load(struct reading *g, const struct jitdump_record *r)
{
    const struct jitdump_record *lines = &g->lines.record;
    const struct rec_made made = {
        .since = since(g->s, r->time),
        .addr = r->addr,
        .size = r->size,
        .origin = MADE_BY_JITDUMP,
        .name = { r->name.s, r->name.len },
    };
    int ret = madewrite_made(g->s, &made);

    if (ret == 0 && g->lines.bytes && lines->addr == r->addr)
        ret = put_lines(g->s, r, lines);
    if (ret == 0)
        ret = put_code(g->s, r);
    free(g->lines.bytes);
    g->lines.bytes = NULL;
    return ret;
}

static int
add_place(struct jitdump *d, u64 addr, u64 at)
{
    if (d->places == d->room) {
        u32 room = d->room ? d->room * 2 : 256;
        struct jitdump_place *place = realloc(d->place, room * sizeof(*place));

        if (!place)
            return -ENOMEM;
        d->place = place;
        d->room = room;
    }
    d->place[d->places++] = (struct jitdump_place){ addr, at };
    return 0;
}

/*
 * Read a record of `len` bytes. NULL: the file does not have all of it yet, or there is
 * no memory.
 */
static unsigned char *
read_bytes(int fd, u64 at, u32 len)
{
    unsigned char *bytes = malloc(len);

    if (bytes && pread(fd, bytes, len, (off_t)at) == (ssize_t)len)
        return bytes;
    free(bytes);
    return NULL;
}

/* The length that a record's head states; 0 if the head is not written yet. */
static u32
length_at(int fd, u64 at)
{
    unsigned char head[HEAD];

    return pread(fd, head, sizeof(head), (off_t)at) == HEAD ? (u32)get(head + 4, 4) : 0;
}

/*
 * A function has moved: read again the record of the function that was at the old
 * address last, and record it at the new one.
 */
static int
put_move(struct reading *g, const struct jitdump_record *r)
{
    struct jitdump *d = &g->s->madecode->jitdump;
    struct jitdump_record moved = { .time = r->time };
    u32 i = d->places, len;
    unsigned char *bytes;
    int ret = 0;

    while (i && d->place[i - 1].addr != r->old)
        i--;
    if (!i)
        return 0;
    len = length_at(g->fd, d->place[i - 1].at);
    bytes = len >= HEAD && len <= RECORD_MAX
                ? read_bytes(g->fd, d->place[i - 1].at, len)
                : NULL;
    if (bytes && parse_load(bytes, len, &moved) == 0) {
        moved.addr = r->addr;
        ret = add_place(d, r->addr, d->place[i - 1].at);
        if (ret == 0)
            ret = put_load(g, &moved);
    }
    free(bytes);
    return ret;
}

/*
 * Record what a record of the file says. `bytes` is freed here, or kept if it has
 * lines; `at` is its place in the file.
 */
static int
put_record(struct reading *g, unsigned char *bytes, size_t len, u64 at)
{
    struct jitdump_record *r = g->record;
    int ret = jitdump_parse(bytes, len, r);

    if (ret == 0 && r->kind == JITDUMP_DEBUG) {
        free(g->lines.bytes);
        g->lines.bytes = bytes;
        g->lines.at = at;
        g->lines.record = *r;
        return 0;
    }
    if (ret == 0 && r->kind == JITDUMP_LOAD) {
        ret = add_place(&g->s->madecode->jitdump, r->addr, at);
        if (ret == 0)
            ret = put_load(g, r);
    } else if (ret == 0 && r->kind == JITDUMP_MOVE) {
        ret = put_move(g, r);
    }
    free(bytes);
    return ret;
}

/*
 * Read the next record, and record what it says. 1; 0 = it is not complete in the file,
 * or there is no memory; or -errno.
 */
static int
read_record(struct reading *g)
{
    struct jitdump *d = &g->s->madecode->jitdump;
    u32 len = length_at(g->fd, d->read);
    unsigned char *bytes;
    int ret;

    if (!len)
        return 0;
    if (len < HEAD || len > RECORD_MAX)
        return -EINVAL;
    bytes = read_bytes(g->fd, d->read, len);
    if (!bytes)
        return 0;
    ret = put_record(g, bytes, len, d->read);
    d->read += len;
    return ret < 0 ? ret : 1;
}

static int
read_header(struct reading *g)
{
    struct jitdump *d = &g->s->madecode->jitdump;
    unsigned char head[HEADER];

    if (d->read)
        return 1;
    if (pread(g->fd, head, sizeof(head), 0) != HEADER)
        return 0;
    if (get(head, 4) != MAGIC || get(head + 8, 4) < HEADER)
        return -EINVAL;
    d->flags = get(head + 32, 8);
    d->read = get(head + 8, 4);
    return 1;
}

void
jitdump_read_new(struct recording *s)
{
    struct jitdump *d = &s->madecode->jitdump;
    struct reading *g;
    u64 now = moment_mono();
    int ret;

    if (!d->file || d->bad)
        return;
    g = calloc(1, sizeof(*g));
    if (!g)
        return;
    g->s = s;
    g->fd = d->file - 1;
    g->record = calloc(1, sizeof(*g->record));
    ret = g->record ? read_header(g) : -ENOMEM;
    while (ret > 0) {
        ret = read_record(g);
        /*
         * The lines belong to the function whose record follows, but that is not there
         * yet: read the lines again with it.
         */
        if (ret == 0 && g->lines.bytes)
            d->read = g->lines.at;
    }
    d->bad = ret == -EINVAL;
    if (d->bad)
        (void)log_event(s->experiment.log, EVENT_bad_jitdump, now, NULL, NULL, NULL, 0);
    d->since = now;
    (void)madewrite_flush(s);
    free(g->lines.bytes);
    free(g->record);
    free(g);
}

void
jitdump_end(struct recording *s)
{
    struct jitdump *d = &s->madecode->jitdump;

    if (!s->became)
        jitdump_read_new(s);
    if (d->file)
        close(d->file - 1);
    free(d->place);
    memset(d, 0, sizeof(*d));
}

static int
is_name(const char *path)
{
    const char *base = strrchr(path, '/');
    size_t len = base ? strlen(base) : 0;

    return len > 10 && !strncmp(base, "/jit-", 5) && !strcmp(base + len - 5, ".dump");
}

/* Open path if it is the very file that the process has mapped. -1 if it is not. */
static int
open_mapped(const char *path, dev_t dev, u64 inode)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;

    if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_ino != inode ||
                    st.st_dev != dev)) {
        close(fd);
        return -1;
    }
    return fd;
}

int
jitdump_found(struct recording *s, const char *path, dev_t dev, u64 inode)
{
    struct madecode *made;
    char there[PATH_MAX + 32];
    int fd;

    if (!is_name(path))
        return 0;
    made = madecode_state_of(s);
    if (!made || made->jitdump.file)
        return 1;
    snprintf(there, sizeof(there), "/proc/%d/root%s", (int)s->pid, path);
    fd = open_mapped(there, dev, inode);
    if (fd < 0)
        fd = open_mapped(path, dev, inode);
    made->jitdump.file = fd + 1;
    return 1;
}
