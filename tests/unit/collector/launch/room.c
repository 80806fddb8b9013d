/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/room.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "collector/launch/limit.h"

static char scratch[64];
static struct request request;
static struct recording *s;
static struct ctl *ctl;

static void
make(void)
{
    int dir;

    strcpy(scratch, "/tmp/ertools-room.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    dir = open(scratch, O_RDONLY | O_DIRECTORY);
    s = calloc(1, sizeof(*s));
    s->request = &request;
    cr_assert_eq(experiment_create(&s->experiment, dir, "a.er"), 0);
    ctl = s->experiment.ctl;
}

static void
discard(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(room, .init = make, .fini = discard);

static off_t
log_bytes(void)
{
    struct stat st;

    cr_assert_eq(fstat(s->experiment.log, &st), 0);
    return st.st_size;
}

Test(room, one_segment_beyond_the_one_in_use)
{
    ctl->file[FILE_profile].next = 5;
    ctl->file[FILE_frameinfo].next = 2 * ER_SEGMENT;
    room_serve(s);
    cr_assert_eq(ctl->file[FILE_profile].reserved, 2 * ER_SEGMENT);
    cr_assert_eq(ctl->file[FILE_frameinfo].reserved, 4 * ER_SEGMENT);
    cr_assert_eq(ctl->flags, 0);
    cr_assert_eq(room_used(ctl), 2 * ER_SEGMENT + 5);
}

Test(room, a_stray_store_does_not_fill_the_disk)
{
    ctl->file[FILE_profile].next = 1ull << 60;
    for (int i = 0; i < 3; i++)
        room_serve(s);
    cr_assert_eq(ctl->file[FILE_profile].reserved, 2 * ER_SEGMENT);
}

Test(room, no_space_is_told_when_little_is_left)
{
    struct rlimit limit = { 2 * ER_SEGMENT, RLIM_INFINITY };

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ctl->file[FILE_profile].next = ER_SEGMENT + 10;
    room_serve(s);
    cr_assert_eq(ctl->flags, 0, "most of a segment is still there");
    ctl->file[FILE_profile].next = 2 * ER_SEGMENT - 100;
    room_serve(s);
    cr_assert_eq(ctl->flags, CTL_NO_SPACE);
    cr_assert_gt(log_bytes(), 0);
    ctl->file[FILE_overview].next = ER_SEGMENT;
    limit.rlim_cur = RLIM_INFINITY;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    room_serve(s);
    cr_assert_eq(ctl->file[FILE_profile].reserved, 2 * ER_SEGMENT, "it has ended");
}

Test(room, the_limit_is_told_once)
{
    off_t once;

    request.limit_mb = 1;
    limit_check(s);
    cr_assert_eq(ctl->flags, 0);
    ctl->file[FILE_profile].next = 600000;
    ctl->file[FILE_frameinfo].next = 400000;
    limit_check(s);
    cr_assert_eq(ctl->flags, CTL_LIMIT);
    once = log_bytes();
    cr_assert_gt(once, 0);
    limit_check(s);
    cr_assert_eq(log_bytes(), once);
}
