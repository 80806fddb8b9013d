/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/progress.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "share/types.h"

static int ends[2];
static char text[8192];

/* What was written since the last look. */
static const char *
written(void)
{
    ssize_t n = read(ends[0], text, sizeof(text) - 1);

    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void
start(u64 delay)
{
    cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
    progress_open(ends[1], delay);
}

Test(progress, nothing_without_a_terminal)
{
    cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
    progress_turn(true);
    progress_begin("reading", "a.er", 100);
    progress_add(50);
    progress_turn(false);
    cr_assert_str_eq(written(), "");
}

Test(progress, nothing_before_it_is_due)
{
    start((u64)3600 * 1000000000);
    progress_turn(true);
    progress_begin("reading", "a.er", 100);
    progress_add(50);
    progress_turn(false);
    cr_assert_str_eq(written(), "");
}

Test(progress, a_line_that_goes_away)
{
    start(0);
    progress_turn(true);
    progress_begin("reading", "a\033.er", 200);
    cr_assert_str_eq(written(), "\rreading a?.er 0 %\033[K");
    usleep(110000); /* the line changes ten times a second at most */
    progress_add(50);
    cr_assert_str_eq(written(), "\rreading a?.er 25 %\033[K");
    progress_add(50);
    cr_assert_str_eq(written(), "");
    progress_erase();
    cr_assert_str_eq(written(), "\r\033[K");
    progress_turn(false);
    cr_assert_str_eq(written(), "", "it is gone already");
}

Test(progress, a_turn_ends)
{
    start(0);
    progress_turn(true);
    progress_begin("opening", "b.er", 0);
    cr_assert_str_eq(written(), "\ropening b.er\033[K");
    progress_turn(false);
    cr_assert_str_eq(written(), "\r\033[K");
    progress_begin("reading", "what is asked between commands", 1);
    cr_assert_str_eq(written(), "");
}

Test(progress, somebody_else_has_the_screen)
{
    start(0);
    progress_turn(true);
    progress_pause(true);
    progress_begin("reading", "a.er", 1);
    cr_assert_str_eq(written(), "");
    progress_pause(false);
    progress_begin("reading", "b.er", 1);
    cr_assert_str_eq(written(), "\rreading b.er 0 %\033[K");
}

Test(progress, long_names)
{
    char name[500];

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    start(0);
    progress_turn(true);
    progress_begin("reading", name, 1);
    cr_assert_eq(strlen(written()), strlen("\r\033[K") + 79);
}
