/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/pymodule.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "print/load/log.h"
#include "print/base/problems.h"

static void
is_named(const char *path, const char *wanted)
{
    char *name = pymodule_name(path);

    if (wanted)
        cr_expect_str_eq(name ? name : "NULL", wanted, "%s: %s", path, name);
    else
        cr_expect_null(name, "%s: %s", path, name);
    free(name);
}

Test(pymodule, of_libraries)
{
    is_named("/usr/lib/python3.11/json/decoder.py", "json.decoder");
    is_named("/usr/lib/python3.11/json/__init__.py", "json");
    is_named("/usr/lib/python3.11/re.py", "re");
    is_named("/usr/lib/python3/dist-packages/black/linegen.py", "black.linegen");
    is_named("/home/u/.venv/lib/python3.13t/site-packages/a/b/__main__.py",
             "a.b.__main__");
    is_named("/usr/lib/pypy3.9/os.py", "os");
    is_named("/usr/lib64/python3.9/os.py", "os");
    is_named("<frozen importlib._bootstrap>", "importlib._bootstrap");
}

Test(pymodule, of_programs)
{
    is_named("/home/u/project/tool.py", "tool");
    is_named("/home/u/project/__init__.py", "project");
    is_named("/home/u/project/__main__.py", "project.__main__");
    is_named("/home/u/library/python/tool.py", "tool");
    is_named("tool.py", "tool");
    is_named("/__init__.py", "__init__");
}

Test(pymodule, of_what_is_none)
{
    is_named("<string>", NULL);
    is_named("", NULL);
    is_named(".py", NULL);
    is_named("/usr/bin/black", NULL);
    is_named("<frozen ", NULL);
}

Test(pymodule, text_of_frozen_ones)
{
    const char *other = "/usr/lib/python3.11/json/decoder.py";
    char *path = pymodule_frozen("<frozen importlib._bootstrap>", other);

    cr_expect_str_eq(path, "/usr/lib/python3.11/importlib/_bootstrap.py");
    free(path);
    path = pymodule_frozen("<frozen os>", other);
    cr_expect_str_eq(path, "/usr/lib/python3.11/os.py");
    free(path);
    cr_expect_null(pymodule_frozen("<frozen os>", "/home/u/tool.py"));
    cr_expect_null(pymodule_frozen("<frozen os>", "<frozen abc>"));
    cr_expect_null(pymodule_frozen("<string>", other));
    cr_expect_null(pymodule_frozen(
        "<frozen os>", "/u/lib/python3.11/site-packages/black/linegen.py"));
}

static bool
is_script(const char *args, const char *path)
{
    struct problems problems = { 0 };
    char text[1024];
    struct log log;
    bool is;

    snprintf(text, sizeof(text),
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<experiment version=\"1\">\n"
             "<process wd=\"/w/d\">\n%s</process>\n</experiment>\n", args);
    cr_assert_eq(log_parse(&log, text, strlen(text), "a.er", &problems), 0);
    is = pymodule_is_script(&log, path);
    log_free(&log);
    problems_free(&problems);
    return is;
}

Test(pymodule, script)
{
    const char *run = "<arg>python3</arg>\n<arg>-u</arg>\n<arg>./run.py</arg>\n";
    const char *by_name = "<arg>tool</arg>\n<arg>-u</arg>\n";

    cr_expect(is_script(run, "/w/d/run.py"));
    cr_expect(is_script(run, "/w/d/./run.py"));
    cr_expect_not(is_script(run, "/w/run.py"));
    cr_expect_not(is_script(run, "/w/d/other.py"));
    cr_expect_not(is_script(run, "/w/d2/run.py"));
    cr_expect(is_script("<arg>python3</arg>\n<arg>/x/run.py</arg>\n", "/x/run.py"));
    cr_expect(is_script(by_name, "/usr/bin/tool"));
    cr_expect_not(is_script(by_name, "/usr/bin/tool.py"));
    cr_expect_not(is_script("", "/w/d"));
}
