/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "tests/gen/trace.h"

enum {
    SUMS = 12, /* reads, bytes, time, the same of writes, others, waits, errors */
    ERRORS = 3,
};

static const u32 errors[ERRORS] = { 4, 11, 28 };

/* A name, and what is open under it. */
struct file {
    char name[40];
    u32 kind;
    u32 opens;
    u64 sums[SUMS];
    u32 open; /* index in ios.open */
};

struct open {
    u32 id;
    u32 fd;
    u32 file;
    u64 sums[SUMS];
};

struct ios {
    struct world *world;
    struct file *file;
    struct open *open;
    u32 opens, room;
    u64 *self; /* SUMS for each node */
    u64 error[ERRORS][2];
    u64 events;
    u64 calls; /* of these: what a file is called is none */
};

static void
make_open(struct ios *s, u32 number)
{
    struct world *w = s->world;
    struct file *file = &s->file[number];
    struct rec_file r = {
        .id = s->opens + 1,
        .fd = file->kind == FILE_KIND_PATH ? 0 : number + 4,
        .kind = file->kind,
        .how = file->kind == FILE_KIND_PATH ? FILE_PATH_ONLY : FILE_OPENED,
        .fstype = file->kind == FILE_KIND_REGULAR ? 0xef53 : 0,
        .name = { file->name, (u32)strlen(file->name) },
    };

    if (number < 3 && s->opens == number)
        r.how = FILE_INHERITED;
    world_step(w);
    gen_open(w->gen, world_thread(w), w->mono, &r);
    s->events++;
    file->opens += r.how == FILE_OPENED;
    file->open = s->opens;
    if (s->opens == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->open = forest_must(realloc(s->open, s->room * sizeof(*s->open)));
    }
    s->open[s->opens++] = (struct open){ r.id, (u32)r.fd, number, { 0 } };
}

static void
make_files(struct ios *s)
{
    for (u32 i = 0; i < s->world->files; i++) {
        struct file *file = &s->file[i];

        file->kind = i % 6 == 4 ? FILE_KIND_SOCKET
                                : i % 6 == 5 ? FILE_KIND_PATH : FILE_KIND_REGULAR;
        snprintf(file->name, sizeof(file->name),
                 file->kind == FILE_KIND_SOCKET ? "inet 127.0.0.1:%u" : "/data/file%u",
                 i);
        make_open(s, i);
    }
}

static void
count(u64 *sums, const struct rec_io *r)
{
    static const u32 place[] = { [IO_READ] = 0, [IO_WRITE] = 3, [IO_OTHER] = 6,
                                 [IO_WAIT] = 8 };
    u64 *at = &sums[r->error && r->kind != IO_WAIT ? 10 : place[r->kind]];

    *at++ += 1;
    if (!r->error && r->kind <= IO_WRITE)
        *at++ += r->bytes;
    *at += r->took;
}

static void
make_io(struct ios *s, u32 number)
{
    struct world *w = s->world;
    struct file *file = &s->file[number];
    bool fails = forest_below(&w->forest, 30) == 0;
    u32 error = fails ? forest_below(&w->forest, ERRORS) : ERRORS;
    struct rec_io r = {
        .took = world_time(w, forest_below(&w->forest, 8) ? 100 : 100000),
        .kind = IO_READ + forest_below(&w->forest, 4),
        .error = error < ERRORS ? errors[error] : 0,
        .file = s->open[file->open].id,
        .node = forest_node(&w->forest),
    };

    if (file->kind == FILE_KIND_PATH)
        r.kind = IO_OTHER;
    r.call = r.kind;
    if (r.kind <= IO_WRITE && !r.error)
        r.bytes = forest_below(&w->forest, forest_below(&w->forest, 4) ? 200 : 100000);
    gen_io(w->gen, world_thread(w), w->mono, &r);
    s->events++;
    s->calls++;
    count(&s->self[r.node * SUMS], &r);
    count(file->sums, &r);
    count(s->open[file->open].sums, &r);
    if (error < ERRORS && r.kind != IO_WAIT) {
        s->error[error][0]++;
        s->error[error][1] += r.took;
    }
}

/* Something that no target does. */
static void
make_hostile(struct world *w)
{
    u64 r = forest_random(&w->forest), size = r >> forest_below(&w->forest, 64);
    u32 thread = world_thread(w);
    struct rec_io io = { 0, size & 0xffff, (u32)r & 511, (u32)size & 7, (u32)(r >> 50),
                         size, (u32)r, (u32)size };
    struct rec_file file = { 0, (u32)size, r, (u32)r & 15, (u32)size & 7, r,
                             { "\033[2J\n\377", 6 } };

    if (forest_below(&w->forest, 3))
        gen_io(w->gen, thread, w->mono, &io);
    else
        gen_open(w->gen, thread, w->mono, &file);
}

static void
tell_sums(const u64 *sums)
{
    for (u32 k = 0; k < SUMS; k++)
        printf(" %llu", (unsigned long long)sums[k]);
}

static void
tell(const struct ios *s)
{
    u64 total[SUMS] = { 0 };

    for (u32 id = 1; id <= s->world->forest.nodes; id++)
        for (u32 k = 0; k < SUMS; k++)
            total[k] += s->self[id * SUMS + k];
    printf("io");
    tell_sums(total);
    printf(" %llu\n", (unsigned long long)s->calls);
    for (u32 i = 0; i < s->world->files; i++) {
        printf("name %s %u", s->file[i].name, s->file[i].opens);
        tell_sums(s->file[i].sums);
        printf("\n");
    }
    for (u32 i = 0; i < s->opens; i++) {
        printf("open %u %d %s", s->open[i].id, (int)s->open[i].fd - 1,
               s->file[s->open[i].file].name);
        tell_sums(s->open[i].sums);
        printf("\n");
    }
    for (u32 i = 0; i < ERRORS; i++)
        printf("error %u %llu %llu\n", errors[i], (unsigned long long)s->error[i][0],
               (unsigned long long)s->error[i][1]);
}

void
gen_ios(struct world *w)
{
    struct ios s = { .world = w };

    if (!w->ios)
        return;
    s.file = forest_must(calloc(w->files, sizeof(*s.file)));
    s.self = forest_must(calloc((size_t)(w->forest.nodes + 1) * SUMS, sizeof(*s.self)));
    make_files(&s);
    while (s.events < w->ios) {
        u32 number = forest_below(&w->forest, w->files);

        world_step(w);
        if (w->hostile && forest_below(&w->forest, 4) == 0)
            make_hostile(w);
        if (forest_below(&w->forest, 400) == 0 && s.file[number].kind != FILE_KIND_PATH)
            make_open(&s, number);
        else
            make_io(&s, number);
    }
    tell(&s);
    forest_tell(&w->forest, "io-function", s.self, SUMS);
    free(s.file);
    free(s.open);
    free(s.self);
}
