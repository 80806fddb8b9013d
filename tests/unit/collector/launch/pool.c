/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/pool.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];
static int top;
static struct expdir e;

static void
make_dir(void)
{
    strcpy(scratch, "/tmp/ertools-pool.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    top = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_geq(top, 0);
    pool_start(top);
}

static void
remove_dir(void)
{
    char command[128] = "rm -rf ";

    pool_end();
    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(pool, .init = make_dir, .fini = remove_dir);

static u64
size_in(int dir, const char *name)
{
    struct stat st;

    cr_assert_eq(fstatat(dir, name, &st, 0), 0, "%s", name);
    return (u64)st.st_size;
}

static void
make(const char *name, u64 used)
{
    struct ctl_file *cf;
    int fd;

    cr_assert_eq(experiment_create_small(&e, top, name, &pool_supply), 0);
    cf = &e.ctl->file[FILE_heaptrace];
    fd = pool_acquire(FILE_heaptrace, e.dir, &cf->reserved);
    if (fd >= 0)
        e.file[FILE_heaptrace] = fd;
    else
        cr_assert_eq(experiment_grow(&e, FILE_heaptrace, ER_SEGMENT), 0);
    cf->next = used;
}

static int
give(const char *text)
{
    cr_assert_eq(pwrite(e.file[FILE_heaptrace], text, strlen(text), 100),
                 (ssize_t)strlen(text));
    return pool_add(&e, FILE_heaptrace);
}

Test(pool, a_file_is_handed_on_empty)
{
    char text[8] = "";
    struct stat before, after;
    u64 reserved = 0;
    int fd;

    make("_f1.er", 4096);
    cr_assert_eq(fstat(e.file[FILE_heaptrace], &before), 0);
    cr_assert_eq(give("first"), 0);
    cr_assert_eq(e.file[FILE_heaptrace], -1);
    cr_assert_eq(size_in(e.dir, "heaptrace"), 4096, "what was used, under its name");
    fd = openat(e.dir, "heaptrace", O_RDONLY);
    cr_assert_eq(pread(fd, text, 5, 100), 5);
    cr_assert_str_eq(text, "first");
    close(fd);
    experiment_close(&e);

    make("_f2.er", 4096);
    cr_assert_eq(fstat(e.file[FILE_heaptrace], &after), 0);
    cr_assert_eq(after.st_ino, before.st_ino, "the same file");
    reserved = e.ctl->file[FILE_heaptrace].reserved;
    cr_assert_eq(reserved, size_in(e.dir, "heaptrace"));
    cr_assert_geq(reserved, ER_SEGMENT);
    cr_assert_eq(pread(e.file[FILE_heaptrace], text, 5, 100), 5);
    cr_assert_eq(memcmp(text, "\0\0\0\0\0", 5), 0, "without what it held");
    experiment_close(&e);
}

Test(pool, large_files_are_not_copied)
{
    make("_f1.er", 65537);
    cr_assert_lt(give("large"), 0);
    cr_assert_geq(e.file[FILE_heaptrace], 0);
    experiment_trim_file(&e, FILE_heaptrace);
    cr_assert_eq(size_in(e.dir, "heaptrace"), 65537);
    experiment_close(&e);
}

Test(pool, files_of_short_ones_are_not_kept)
{
    make("_f1.er", 10);
    e.ctl->file[FILE_profile].next = 10;
    cr_assert_lt(pool_add(&e, FILE_profile), 0);
    cr_assert_eq(size_in(e.dir, "profile"), e.ctl->file[FILE_profile].reserved);
    experiment_close(&e);
}

Test(pool, what_was_not_used_is_handed_on)
{
    struct stat before, after;
    struct ctl *page;
    char text[8] = "?";

    make("_f1.er", 0);
    page = e.ctl;
    e.ctl->pid = 7;
    e.ctl->file[FILE_frameinfo].next = ER_NODE_BYTES;
    cr_assert_eq(pwrite(e.file[FILE_frameinfo], "ERNODES1", 8, 0), 8);
    e.ctl->file[FILE_profile].next = 1;
    cr_assert(pool_is_unused(&e, FILE_overview));
    cr_assert(pool_is_unused(&e, FILE_frameinfo), "but for its head");
    cr_assert_not(pool_is_unused(&e, FILE_profile));
    cr_assert_not(pool_is_unused(&e, FILE_threads), "each has a thread");
    cr_assert_not(pool_is_unused(&e, FILE_heaptrace), "with space reserved");
    cr_assert_eq(fstat(e.file[FILE_frameinfo], &before), 0);
    cr_assert_eq(pool_add_unused(&e, FILE_frameinfo), 0);
    cr_assert_eq(pool_add_control(&e), 0);
    cr_assert_null(e.ctl);
    cr_assert_eq(faccessat(e.dir, EXPERIMENT_CONTROL, F_OK, 0), 0, "until it is taken");
    experiment_close(&e);

    make("_f2.er", 0);
    cr_assert_lt(faccessat(top, "_f1.er/" EXPERIMENT_CONTROL, F_OK, 0), 0);
    cr_assert_eq(fstat(e.file[FILE_frameinfo], &after), 0);
    cr_assert_eq(after.st_ino, before.st_ino, "the same file");
    cr_assert_eq(e.ctl->file[FILE_frameinfo].reserved, (u64)after.st_size);
    cr_assert_eq(size_in(e.dir, "frameinfo"), (u64)after.st_size);
    cr_assert_eq(pread(e.file[FILE_frameinfo], text, 8, 0), 8);
    cr_assert_eq(memcmp(text, "\0\0\0\0\0\0\0", 8), 0);
    cr_assert_eq(e.ctl, page, "the same page");
    cr_assert_eq(e.ctl->pid + e.ctl->file[FILE_profile].next, 0, "but empty");
    cr_assert_eq(e.ctl->magic, ER_CTL_MAGIC);
    cr_assert_eq(faccessat(e.dir, EXPERIMENT_CONTROL, F_OK, 0), 0);
    cr_assert_lt(faccessat(top, "_f1.er/frameinfo", F_OK, 0), 0);
    experiment_close(&e);
}

Test(pool, the_end_takes_what_was_not_used)
{
    make("_f1.er", 0);
    cr_assert_eq(pool_add_unused(&e, FILE_overview), 0);
    experiment_close(&e);
    cr_assert_eq(faccessat(top, "_f1.er/overview", F_OK, 0), 0, "it may be taken yet");
    pool_end();
    cr_assert_lt(faccessat(top, "_f1.er/overview", F_OK, 0), 0);
}

Test(pool, what_claims_more_than_there_is_stays)
{
    make("_f1.er", 4096);
    e.ctl->file[FILE_heaptrace].reserved = 100;
    cr_assert_lt(give("torn"), 0);
    experiment_close(&e);
}

Test(pool, the_end_leaves_no_spares)
{
    struct stat st;

    make("_f1.er", 10);
    cr_assert_eq(give("x"), 0);
    experiment_close(&e);
    cr_assert_eq(fstatat(top, ".spare-heaptrace-1", &st, 0), 0);
    pool_end();
    cr_assert_lt(fstatat(top, ".spare-heaptrace-1", &st, 0), 0);
}
