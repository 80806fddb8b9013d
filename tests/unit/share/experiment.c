/* SPDX-License-Identifier: Apache-2.0 */
#include "share/experiment.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];
static int dir;

static void
make_dir(void)
{
    strcpy(scratch, "/tmp/ertools-experiment.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    dir = open(scratch, O_RDONLY | O_DIRECTORY);
}

static void
remove_dir(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(experiment, .init = make_dir, .fini = remove_dir);

static off_t
size_of(struct expdir *e, int file)
{
    struct stat st;

    cr_assert_eq(fstat(e->file[file], &st), 0);
    return st.st_size;
}

Test(experiment, files_modes_and_reservations)
{
    struct expdir e;
    struct stat st;

    umask(0277);
    cr_assert_eq(experiment_create(&e, dir, "a.er"), 0);
    cr_assert_eq(umask(022), 0277, "the mask is what it was");
    for (int i = 0; i < FILE_COUNT; i++) {
        if (experiment_is_optional((enum er_file)i)) {
            cr_assert_eq(e.file[i], -1, "none before it is wanted");
            cr_assert_eq(experiment_grow(&e, (enum er_file)i, 1), 0);
        }
        cr_assert_eq(fstat(e.file[i], &st), 0);
        cr_assert_eq(st.st_mode & 07777, 0600);
        cr_assert_eq((u64)st.st_size, e.ctl->file[i].reserved);
        cr_assert_eq(st.st_size % ER_SEGMENT, 0);
        cr_assert_gt(st.st_size, 0);
    }
    cr_assert_eq(e.ctl->magic, ER_CTL_MAGIC);
    cr_assert_eq(fcntl(e.log, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    cr_assert_eq(experiment_create(&e, dir, "a.er"), -EEXIST);
    experiment_discard(&e, dir, "a.er");
    cr_assert_neq(faccessat(dir, "a.er", F_OK, 0), 0);
}

Test(experiment, grows_by_segments_and_is_trimmed)
{
    struct expdir e;

    cr_assert_eq(experiment_create(&e, dir, "a.er"), 0);
    cr_assert_eq(experiment_grow(&e, FILE_profile, 3 * ER_SEGMENT + 1), 0);
    cr_assert_eq(size_of(&e, FILE_profile), 4 * ER_SEGMENT);
    cr_assert_eq(e.ctl->file[FILE_profile].reserved, 4 * ER_SEGMENT);
    e.ctl->file[FILE_profile].next = 5000;
    e.ctl->file[FILE_threads].next = 99 * (u64)ER_SEGMENT;
    experiment_trim(&e);
    cr_assert_eq(size_of(&e, FILE_profile), 5000);
    cr_assert_eq(size_of(&e, FILE_overview), 0);
    cr_assert_eq(size_of(&e, FILE_threads), ER_SEGMENT, "never longer than it was");
    cr_assert_neq(faccessat(e.dir, EXPERIMENT_CONTROL, F_OK, 0), 0);
    experiment_close(&e);
    cr_assert_eq(e.dir, -1);
}

Test(experiment, a_limit_leaves_nothing_behind)
{
    struct rlimit limit = { ER_SEGMENT / 2, RLIM_INFINITY };
    struct expdir e;

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(experiment_create(&e, dir, "a.er"), -EFBIG);
    cr_assert_neq(faccessat(dir, "a.er", F_OK, 0), 0);
}

Test(experiment, growing_against_a_limit_keeps_what_there_is)
{
    struct rlimit limit = { 3 * ER_SEGMENT, RLIM_INFINITY };
    struct expdir e;

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(experiment_create(&e, dir, "a.er"), 0);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(experiment_grow(&e, FILE_overview, 5 * ER_SEGMENT), -EFBIG);
    cr_assert_eq(e.ctl->file[FILE_overview].reserved, 3 * ER_SEGMENT);
    cr_assert_eq(size_of(&e, FILE_overview), 3 * ER_SEGMENT);
    experiment_discard(&e, dir, "a.er");
}

Test(experiment, no_such_place)
{
    struct expdir e = { .dir = 77 };

    cr_assert_eq(experiment_create(&e, dir, "none/a.er"), -ENOENT);
    cr_assert_eq(e.dir, 77, "the output is not touched");
}
