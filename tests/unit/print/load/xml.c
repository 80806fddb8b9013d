/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/xml.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/fmt.h"
#include "tests/gen/scene.h"

Test(xml, unescape_undoes_fmt)
{
    char all[256], out[4096];
    struct fmt f = fmt_start(out, sizeof(out));
    size_t len;

    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    fmt_bytes(&f, "\\\\", 0);
    for (int i = 0; i < 256; i++)
        if (!strchr("<>&\"'", i) || !i)
            fmt_xml(&f, all + i, 1);
    len = xml_unescape(out, (size_t)(f.at - out));
    cr_assert_eq(len, 256 - 5);
    cr_assert_eq(memcmp(out, all, '"'), 0);
}

Test(xml, unescape_leaves_what_is_no_escape)
{
    char text[] = "a\\xg1\\x4\\";

    cr_assert_eq(xml_unescape(text, strlen(text)), strlen("a\\xg1\\x4\\"));
    cr_assert_str_eq(text, "a\\xg1\\x4\\");
}

Test(xml, numbers)
{
    struct log_pair attr[] = {
        { "dec", "12" },  { "hex", "0xff" }, { "neg", "-1" },
        { "junk", "12x" }, { "none", "" },    { "big", "18446744073709551616" },
    };

    cr_assert_eq(xml_number(attr, 6, "dec", 7), 12);
    cr_assert_eq(xml_number(attr, 6, "hex", 7), 255);
    cr_assert_eq(xml_number(attr, 6, "neg", 7), 7);
    cr_assert_eq(xml_number(attr, 6, "big", 7), 7);
    cr_assert_eq(xml_number(attr, 6, "junk", 7), 7);
    cr_assert_eq(xml_number(attr, 6, "none", 7), 7);
    cr_assert_eq(xml_number(attr, 6, "missing", 7), 7);
}

static int depth;

static void
on_start(void *context, const char *name, const struct log_pair *attr, u32 nattrs)
{
    (void)context, (void)name, (void)attr;
    cr_assert(nattrs <= XML_ATTRS_MAX);
    depth++;
}

static void
on_end(void *context, const char *name, const char *text)
{
    (void)context, (void)name;
    cr_assert(strlen(text) <= 65536);
}

static int
parse(const char *text, size_t len)
{
    static struct problems problems;
    struct pool *pool = NULL;
    struct xml_reader reader = {
        .start = on_start, .end = on_end, .pool = &pool, .root = "r", .name = "n",
        .problems = &problems,
    };
    int ret = xml_parse(&reader, text, len);

    pool_free(pool);
    problems_free(&problems);
    return ret;
}

Test(xml, depth_attributes_and_text_have_bounds)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    size_t at = (size_t)sprintf(text, "<r>\n<a ");

    for (int i = 0; i < 500; i++)
        at += (size_t)sprintf(text + at, "a%d='1' ", i);
    at += (size_t)sprintf(text + at, "/>\n");
    cr_assert_eq(parse(text, at), 0);
    cr_assert_eq(depth, 1);
    at = (size_t)sprintf(text, "<r>\n");
    while (at < SIZE - 8)
        at += (size_t)sprintf(text + at, "<b>\n");
    cr_assert_eq(parse(text, at), 0);
    memset(text + 7, 'x', SIZE - 7);
    memcpy(text, "<r>\n<t>", 7);
    memcpy(text + SIZE - 5, "</t>\n", 5);
    cr_assert_eq(parse(text, SIZE), 0);
    free(text);
}

static char seen[256];

static void
see(void *context, const char *name, const struct log_pair *attr, u32 nattrs)
{
    (void)context;
    strcat(strcat(seen, name), xml_attr(attr, nattrs, "id", ""));
    strcat(seen, " ");
}

/* What is met in that text, whether it has an end, and how much of it is bad. */
static void
check(const char *text, const char *met, bool closed, u32 bad)
{
    struct problems problems = { 0 };
    struct pool *pool = NULL;
    struct xml_reader reader = { .start = see, .end = on_end, .pool = &pool,
                                 .root = "r", .name = "n", .problems = &problems };

    seen[0] = 0;
    cr_assert_eq(xml_parse(&reader, text, strlen(text)), 0);
    cr_expect_str_eq(seen, met);
    cr_expect_eq(reader.closed, closed, "%s", text);
    cr_expect_eq(problems.count, bad, "%s: %u", text, problems.count);
    pool_free(pool);
    problems_free(&problems);
}

Test(xml, a_line_that_stands_on_a_torn_one_is_read)
{
    check("<r>\n<a id='1'/>\n</r>\n", "a1 ", true, 0);
    check("<r>\n<a id='1'/>\n<b id='2", "a1 ", false, 1);
    check("<r>\n<a id='1'/>\n<b id='2</r>\n", "a1 ", true, 1);
    check("<r>\n<a id='1'/>\n<b id='2\n</r>\n", "a1 ", true, 1);
    check("<r>\n<a id='1'/>\n<b id='2\n<c id='3'/>\n</r>\n", "a1 c3 ", true, 1);
    check("<r>\n<b id='2<c id='3'/>\n<a id='1'/>\n</r>\n", "c3 a1 ", true, 1);
    check("<r>\n<<b<c id='3'/>\n</r>\n", "c3 ", true, 1);
    check("<r>\n<event id='2'>te\n<event id='3'>text</event>\n</r>\n",
          "event3 ", true, 1);
    check("<r>\n<event id='2'>te<event id='3'>text</event>\n</r>\n",
          "event3 ", true, 1);
}

Test(xml, slurp_takes_regular_files_only)
{
    char *dir = scene_dir(), *text;
    int fd = open(dir, O_RDONLY | O_DIRECTORY);
    size_t len;

    cr_assert_eq(xml_slurp(fd, "none", &text, &len), -ENOENT);
    cr_assert_eq(symlinkat("/etc/passwd", fd, "link"), 0);
    cr_assert_eq(xml_slurp(fd, "link", &text, &len), -ELOOP);
    cr_assert_eq(xml_slurp(fd, ".", &text, &len), -EINVAL);
    close(fd);
    scene_remove(dir);
}
