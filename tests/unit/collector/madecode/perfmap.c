/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/perfmap.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static int
parse(const char *text, struct perfmap_line *line)
{
    return perfmap_parse(text, strlen(text), line);
}

static void
expect(const char *text, const char *source, u32 number)
{
    struct perfmap_line line;

    cr_assert_eq(parse(text, &line), 0, "%s", text);
    cr_assert_eq(line.source_len, strlen(source), "%s", text);
    cr_assert(!line.source_len || !memcmp(line.source, source, line.source_len));
    cr_assert_eq(line.number, number, "%s", text);
}

Test(perfmap, lines)
{
    struct perfmap_line line;

    cr_assert_eq(parse("18c4000 300 Builtin:Deopt", &line), 0);
    cr_assert_eq(line.addr, 0x18c4000);
    cr_assert_eq(line.size, 0x300);
    cr_assert_eq(line.name_len, 13);
    cr_assert_eq(parse("0x7f00 0xA a b c\r", &line), 0);
    cr_assert_eq(line.addr, 0x7f00);
    cr_assert_eq(line.size, 10);
    cr_assert_eq(line.name_len, 5);
}

Test(perfmap, what_is_no_line)
{
    static const char *const bad[] = {
        "", " ", "12", "12 ", "12 5", "12 5 ", "x 5 name", "12 x name", "12  5 name",
        "12 0 name", "ffff800000000000 10 kernel", "12 ffffffffffffffff name",
        "12345678901234567 5 name", "-1 5 name", "12\t5\tname", "12 5 \r",
    };
    struct perfmap_line line;

    for (size_t i = 0; i < ER_COUNT(bad); i++)
        cr_assert_eq(parse(bad[i], &line), -EINVAL, "%s", bad[i]);
}

Test(perfmap, sources_in_names)
{
    expect("1 1 JS:*fib /tmp/x.js:1:13", "/tmp/x.js", 1);
    expect("1 1 JS:~ file:///a/b.mjs:70:3", "/a/b.mjs", 70);
    expect("1 1 py::main:/usr/lib/x.py", "/usr/lib/x.py", 0);
    expect("1 1 JS:~go node:internal/x:5:6", "", 0);
    expect("1 1 $a:fib/1", "", 0);
    expect("1 1 std::vector<a, b>::f(int)", "", 0);
    expect("1 1 12:34:56", "", 0);
}
