/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an experiment's I/O trace by the contract alone, for tests of the collector
 * that should not depend on er_print.
 *
 *   tell-io EXPERIMENT             a line for each call, error and file, and totals
 *   tell-io EXPERIMENT list        each record
 *
 *   call NAME COUNT BYTES FAILED   error NUMBER COUNT   file KIND HOW NAME READ WRITTEN
 */
/* build: -O1 -g -I@S@/../.. */
/* link: @S@/../../share/chunk.c @S@/../../share/record.c @S@/../../share/iocall.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/chunk.h"
#include "share/iocall.h"
#include "tell.h"

struct file {
    char *name;
    u64 fd, kind, how, fstype, bytes[2], calls;
};

static struct file *files;
static u64 nfiles, bad, records, file_records, doubled, backwards, with_node;
static u64 counts[IOCALL_END], bytes[IOCALL_END], failed[IOCALL_END], errors[4096];
static int listing;
static const unsigned char *nodes; /* frameinfo */
static u64 nodes_size;

static struct file *
file_at(u64 id)
{
    if (id >= nfiles) {
        u64 more = id + 1000;

        files = realloc(files, more * sizeof(*files));
        if (!files || id > 1u << 30)
            exit(2);
        memset(files + nfiles, 0, (more - nfiles) * sizeof(*files));
        nfiles = more;
    }
    return &files[id];
}

/* Of the last such record: the fields that a REP or DELTA refers to. */
struct state {
    struct codec codec;
    u64 call, kind, error, file;
};

static int
get_rep(const unsigned char **p, const unsigned char *end, u64 *last)
{
    u64 v;

    if (get_varint(p, end, &v) < 0)
        return -1;
    if (v)
        *last = v - 1;
    return 0;
}

/* The code address of a stack's leaf. */
static unsigned long long
leaf(u32 node)
{
    u64 pc = 0;

    if (node && ((u64)node + 1) * ER_NODE_BYTES <= nodes_size)
        memcpy(&pc, nodes + (u64)node * ER_NODE_BYTES + 8, 6);
    return pc;
}

static int
get_io(struct state *s, const unsigned char **p, const unsigned char *end, u64 time,
       u32 thread)
{
    u64 took, n, step;
    u32 node;

    if (get_varint(p, end, &took) < 0 || get_rep(p, end, &s->call) < 0 ||
        get_rep(p, end, &s->kind) < 0 || get_rep(p, end, &s->error) < 0 ||
        get_varint(p, end, &n) < 0 || get_varint(p, end, &step) < 0 ||
        get_node(&s->codec, p, end, &node) < 0)
        return -1;
    s->file = (u32)(s->file + unzigzag(step));
    if (!iocall_name((u32)s->call) || s->error >= 4096 || took > time)
        return -1;
    counts[s->call]++;
    bytes[s->call] += n;
    failed[s->call] += s->error != 0;
    errors[s->error]++;
    with_node += node != 0;
    file_at(s->file)->calls++;
    if (s->kind == IO_READ || s->kind == IO_WRITE)
        file_at(s->file)->bytes[s->kind == IO_WRITE] += n;
    if (listing)
        printf("io %s kind %llu error %llu bytes %llu file %llu pc %llx thread %u\n",
               iocall_name((u32)s->call), (unsigned long long)s->kind,
               (unsigned long long)s->error, (unsigned long long)n,
               (unsigned long long)s->file, leaf(node), thread);
    return 0;
}

static int
get_file(const unsigned char **p, const unsigned char *end)
{
    struct file f = { 0 };
    struct er_str name;
    u64 id;

    if (get_varint(p, end, &id) < 0 || get_varint(p, end, &f.fd) < 0 ||
        get_varint(p, end, &f.kind) < 0 || get_varint(p, end, &f.how) < 0 ||
        get_varint(p, end, &f.fstype) < 0 || get_str(p, end, &name) < 0)
        return -1;
    f.name = strndup(name.s, name.len);
    doubled += file_at(id)->name != NULL;
    f.calls = file_at(id)->calls;
    memcpy(f.bytes, file_at(id)->bytes, sizeof(f.bytes));
    *file_at(id) = f;
    file_records++;
    if (listing)
        printf("file %llu fd %lld kind %llu how %llu fstype %llx %s\n",
               (unsigned long long)id, (long long)f.fd - 1, (unsigned long long)f.kind,
               (unsigned long long)f.how, (unsigned long long)f.fstype, f.name);
    return 0;
}

static void
read_chunk(const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *p = (const unsigned char *)chunk + sizeof(*chunk);
    const unsigned char *end = (const unsigned char *)chunk + committed;
    struct state s = { .call = 0 };
    u64 time, last = 0;
    u32 kind;

    codec_start(&s.codec, chunk->tsc0 >> SHIFT_iotrace, chunk->prev_addr);
    bad += !chunk_data_ok(chunk, committed);
    while (p < end) {
        if (get_head(&s.codec, &p, end, &kind, &time) < 0 ||
            (kind == KIND_io && get_io(&s, &p, end, time, chunk->thread_id) < 0) ||
            (kind == KIND_file && get_file(&p, end) < 0) ||
            (kind != KIND_io && kind != KIND_file)) {
            bad++;
            return;
        }
        records += kind == KIND_io;
        backwards += time < last;
        last = time;
    }
}

static void
tell(const char *key, u64 value)
{
    printf("%s %llu\n", key, (unsigned long long)value);
}

static void
tell_threads(const char *experiment)
{
    u64 size, seen = 0, dropped = 0;
    const struct rec_thread *row = (const void *)map_file(experiment, "threads", &size);

    for (u64 i = 1; i < size / sizeof(*row); i++) {
        seen += row[i].id ? row[i].io_seen : 0;
        dropped += row[i].id ? row[i].io_dropped : 0;
    }
    tell("seen", seen);
    tell("dropped", dropped);
}

static void
tell_files(void)
{
    static const char *const kinds[] = { "unknown", "regular", "directory",
                                         "pipe",    "socket",  "character",
                                         "block",   "anonymous", "path" };
    static const char *const hows[] = { "?", "opened", "inherited", "named" };
    u64 unnamed = 0;

    for (u64 i = 1; i < nfiles; i++) {
        const struct file *f = &files[i];

        unnamed += f->calls && !f->name;
        if (f->name && f->kind < FILE_KIND_COUNT && f->how <= FILE_PATH_ONLY)
            printf("file %s %s %s %llu %llu\n", kinds[f->kind], hows[f->how], f->name,
                   (unsigned long long)f->bytes[0], (unsigned long long)f->bytes[1]);
    }
    tell("unnamed", unnamed);
    tell("none", files ? files[0].calls : 0);
}

int
main(int argc, char **argv)
{
    struct chunk_cursor cursor = { .file = FILE_iotrace };
    const struct er_chunk *chunk;
    u64 where;
    u32 committed;
    int ret;

    if (argc < 2)
        return 2;
    listing = argc > 2;
    nodes = map_file(argv[1], "frameinfo", &nodes_size);
    cursor.data = map_file(argv[1], "iotrace", &cursor.size);
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) != 0) {
        if (ret < 0)
            bad++;
        else
            read_chunk(chunk, committed);
    }
    if (listing)
        return 0;
    for (u32 i = 0; i < IOCALL_END; i++)
        if (counts[i])
            printf("call %s %llu %llu %llu\n", iocall_name(i),
                   (unsigned long long)counts[i], (unsigned long long)bytes[i],
                   (unsigned long long)failed[i]);
    for (u32 i = 1; i < ER_COUNT(errors); i++)
        if (errors[i])
            printf("error %u %llu\n", i, (unsigned long long)errors[i]);
    tell_files();
    tell("records", records);
    tell("file_records", file_records);
    tell("doubled", doubled);
    tell("backwards", backwards);
    tell("without_node", records - with_node);
    tell("bad", bad);
    tell("size", cursor.size);
    tell_threads(argv[1]);
    return 0;
}
