/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/tail.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file with that text. */
static int
file_of(const char *text)
{
    int fd = memfd_create("file", 0);

    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

static const char *
text_of(int fd)
{
    static char text[1024];
    ssize_t len = pread(fd, text, sizeof(text) - 1, 0);

    text[len > 0 ? len : 0] = 0;
    return text;
}

Test(tail, a_torn_line_is_ended)
{
    static const char *const whole[] = { "", "<a/>\n", "<a/>\n\n" };
    int fd = file_of("<a/>\n<b");

    tail_mend(fd);
    cr_expect_str_eq(text_of(fd), "<a/>\n<b\n");
    close(fd);
    for (int i = 0; i < 3; i++) {
        fd = file_of(whole[i]);
        tail_mend(fd);
        cr_expect_str_eq(text_of(fd), whole[i]);
        close(fd);
    }
}

Test(tail, each_file_has_an_end)
{
    struct expdir e = { .log = file_of("<event>"), .map = file_of("<map>\n") };

    tail_put(&e);
    cr_expect_str_eq(text_of(e.log), "<event>\n</experiment>\n");
    cr_expect_str_eq(text_of(e.map), "<map>\n</map>\n");
}

Test(tail, what_was_not_said_is_counted)
{
    struct ctl ctl = { .unsaid = 0 };
    struct expdir e = { .log = file_of(""), .map = -1, .ctl = &ctl };

    tail_unsaid(&e, 5);
    cr_expect_str_eq(text_of(e.log), "");
    ctl.unsaid = 7;
    tail_unsaid(&e, 5);
    cr_expect(strstr(text_of(e.log), "id=\"unsaid\" time=\"5\" arg1=\"7\""));
}
