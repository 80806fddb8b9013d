/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/v8name.h"

#include <criterion/criterion.h>
#include <string.h>

static void
becomes(const char *from, bool has_source, const char *wanted)
{
    char name[200];

    strcpy(name, from);
    v8name_shorten(name, has_source);
    cr_expect_str_eq(name, wanted, "%s: %s", from, name);
}

Test(v8name, each_compilation_has_one_name)
{
    becomes("JS:*sort /tmp/x.js:1:13", true, "sort");
    becomes("JS:^sort /tmp/x.js:1:13", true, "sort");
    becomes("JS:~get size file:///tmp/a b.mjs:1:13", true, "get size");
    becomes("LazyCompile:+sort /tmp/x.js:1:13", true, "sort");
}

Test(v8name, functions_without_a_name)
{
    becomes("JS:* /tmp/x.js:3:77", true, "anonymous:3:77");
    becomes("JS:~ /a:1", true, "/a:1");
    becomes("JS:^", true, "JS:^");
}

Test(v8name, minified_code)
{
    becomes("JS:*a /tmp/x.js:1:13000", true, "a /tmp/x.js:1:13000");
}

Test(v8name, places_that_are_not_known_otherwise)
{
    becomes("JS:^Hash node:internal/crypto/hash:88:14", false,
            "Hash node:internal/crypto/hash:88:14");
    becomes("JS:^ node:internal/crypto/hash:81:3", false,
            "node:internal/crypto/hash:81:3");
    becomes("JS:*sort /tmp/x.js:1:13", false, "sort /tmp/x.js:1:13");
}

Test(v8name, other_names)
{
    becomes("py::main:/tmp/x.py", true, "py::main:/tmp/x.py");
    becomes("Shop.main(java.lang.String[])", true, "Shop.main(java.lang.String[])");
    becomes("BytecodeHandler:Wide", false, "BytecodeHandler:Wide");
}
