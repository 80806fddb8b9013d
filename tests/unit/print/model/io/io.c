/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/io/io.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/io/ioscan.h"
#include "print/model/session/sessions.h"
#include "tests/gen/scene.h"

enum {
    US = 1000,
};

static char *dir, *path;
static struct gen *gen;
static struct session *session;
static struct io io;

static void
up(void)
{
    u64 lo = APP_BIAS + GEN_CODE;

    dir = scene_dir();
    path = scene_path(dir, "i.er");
    gen = gen_start(path, 1);
    gen_object(gen, 1, "/gen/app", "aa01", APP_BIAS, lo, lo + 5 * GEN_FUNC_BYTES,
               "main");
    gen_archive(gen, "/gen/app", "aa01", "f", "/gen/app.c", 5, 0);
    for (u32 i = 1; i <= 2; i++) {
        gen_thread(gen, &(struct rec_thread){ .id = i, .tid = i });
        gen_node(gen, 0, 1, lo + i * GEN_FUNC_BYTES + 8, 0);
    }
}

static void
down(void)
{
    io_free(&io);
    sessions_close(session);
    scene_remove(dir);
    free(path);
}

TestSuite(io, .init = up, .fini = down);

static void
opens(u64 us, u32 id, u32 how, const char *name)
{
    struct rec_file r = { .id = id, .fd = how == FILE_PATH_ONLY ? 0 : 4,
                          .kind = how == FILE_PATH_ONLY ? FILE_KIND_PATH
                                                        : FILE_KIND_REGULAR,
                          .how = how, .fstype = 0xef53,
                          .name = { name, (u32)strlen(name) } };

    gen_open(gen, 1, GEN_START + us * US, &r);
}

static void
calls(u32 thread, u64 us, u64 took, u32 kind, u32 error, u64 bytes, u32 file)
{
    struct rec_io r = { .took = took * US, .call = kind, .kind = kind, .error = error,
                        .bytes = bytes, .file = file, .node = thread };

    gen_io(gen, thread, GEN_START + us * US, &r);
}

static void
look(u32 want)
{
    char *why;

    gen_end(gen, GEN_START + 1000 * US, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_open(&session), 0);
    cr_assert_eq(sessions_add(session, path, &why), 0);
    cr_assert_eq(io_get(session, want, &io), 0);
    cr_assert(io.recorded);
}

static const struct io_file *
named(const char *name)
{
    for (u32 i = 0; i < io.files; i++)
        if (io.file[i].open.name.len == strlen(name) &&
            !memcmp(io.file[i].open.name.s, name, strlen(name)))
            return &io.file[i];
    return NULL;
}

static void
two_files(void)
{
    calls(1, 90, 1, IO_READ, 0, 5, 1); /* before its file's record */
    opens(100, 1, FILE_OPENED, "/a");
    opens(110, 2, FILE_OPENED, "/b");
    opens(120, 3, FILE_PATH_ONLY, "/a");
    opens(130, 4, FILE_OPENED, "/a");
    calls(2, 200, 16, IO_WRITE, 0, 100, 2);
    calls(2, 210, 16, IO_WRITE, 28, 0, 2);
    calls(2, 220, 16, IO_WAIT, 0, 0, 0);
    calls(2, 230, 4, IO_OTHER, 0, 0, 3);
    calls(2, 240, 2, IO_READ, 0, 7, 4);
    calls(2, 250, 2, IO_READ, 0, 7, 77); /* its record was lost */
}

Test(io, by_name)
{
    two_files();
    look(IO_NAMES);
    cr_assert_eq(io.files, 4);
    cr_assert_eq(named("/a")->opens, 2);
    cr_assert_eq(named("/a")->open.kind, FILE_KIND_REGULAR);
    cr_assert_eq(named("/a")->sums.of[IO_CLASS_READ].count, 2);
    cr_assert_eq(named("/a")->sums.of[IO_CLASS_READ].bytes, 12);
    cr_assert_eq(named("/a")->sums.of[IO_CLASS_OTHER].time, 4 * US);
    cr_assert_eq(named("/b")->sums.of[IO_CLASS_WRITE].bytes, 100);
    cr_assert_eq(named("/b")->sums.of[IO_CLASS_ERROR].count, 1);
    cr_assert_eq(io.total.of[IO_CLASS_WAIT].time, 16 * US);
    cr_assert_eq(io_sums_all(&io.total, true).count, 7);
    cr_assert_eq(io_sums_all(&io.total, false).count, 6);
}

Test(io, by_opening)
{
    u32 known = 0;

    two_files();
    look(IO_FILES);
    cr_assert_eq(io.files, 6);
    for (u32 i = 0; i < io.files; i++) {
        const struct io_file *file = &io.file[i];

        if (file->open.how)
            cr_assert_eq(io_find(&io, 0, file->open.id)->time, file->open.time);
        known += file->open.how != 0;
        if (file->open.id == 4)
            cr_assert_eq(file->sums.of[IO_CLASS_READ].bytes, 7);
        if (file->open.id == 77)
            cr_assert_eq(file->sums.of[IO_CLASS_READ].count, 1);
    }
    cr_assert_eq(known, 4);
    cr_assert_eq(io_find(&io, 0, 2)->fd, 3);
    cr_assert_null(io_find(&io, 0, 77));
}

Test(io, by_stack_and_call)
{
    two_files();
    look(IO_STACKS | IO_CALLS);
    cr_assert_eq(io.stacks, 2);
    cr_assert_eq(io_sums_all(&io.stack[0].sums, true).count +
                     io_sums_all(&io.stack[1].sums, true).count,
                 7);
    cr_assert_eq(io.calls, 5);
    cr_assert_eq(io.call[0].call, IO_READ);
    cr_assert_eq(io.call[0].sum.bytes, 19);
    cr_assert_eq(io.call[2].class, IO_CLASS_ERROR);
    cr_assert_eq(io.call[2].error, 28);
    cr_assert_eq(io.slows, 6);
    cr_assert_eq(io.slow[0].time, 16 * US);
    cr_assert_eq(io.slow[0].since, 200 * US);
    cr_assert_eq(io.size[iosum_step(100)][IO_CLASS_WRITE].count, 1);
    cr_assert_eq(io.time[iosum_step(16 * US)][IO_CLASS_WAIT].count, 1);
}

Test(io, steps)
{
    gen_end(gen, GEN_START + 1000 * US, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_open(&session), 0);
    for (u32 i = 1; i < 62; i++) {
        cr_assert_eq(iosum_step(iosum_step_least(i)), i);
        cr_assert_eq(iosum_step(iosum_step_least(i + 1) - 1), i);
    }
    cr_assert_eq(iosum_step(0), 0);
    cr_assert_eq(iosum_step(UINT64_MAX), IO_STEPS - 1);
}

Test(io, the_slowest_are_kept)
{
    struct io_slow slow[IO_SLOW];
    u32 slows = 0;
    u64 least = UINT64_MAX;

    gen_end(gen, GEN_START + 1000 * US, 0, 0);
    gen_finish(gen);
    cr_assert_eq(sessions_open(&session), 0);
    for (u32 i = 0; i < 1000; i++)
        ioscan_slow(slow, &slows, &(struct io_slow){ .time = i * 7919 % 1000 });
    cr_assert_eq(slows, IO_SLOW);
    for (u32 i = 0; i < slows; i++)
        least = slow[i].time < least ? slow[i].time : least;
    cr_assert_eq(least, 1000 - IO_SLOW);
}
