/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/demangle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void
is(const char *linkage, bool parameters, const char *wanted)
{
    char *name = demangle(linkage, parameters);

    if (wanted)
        cr_assert_str_eq(name, wanted);
    else
        cr_assert_null(name);
    free(name);
}

Test(demangle, cpp)
{
    is("_ZN3foo3barEi", true, "foo::bar(int)");
    is("_ZN3foo3barEi", false, "foo::bar");
    is("_ZN1AIiEC2Ev", true, "A<int>::A()");
    is("_Z3fooi.cold", true, "foo(int) [clone .cold]");
}

Test(demangle, rust)
{
    is("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", true,
       "core::fmt::Write::write_fmt");
    is("_RNvC6_123foo3bar", true, "123foo::bar");
}

Test(demangle, fortran)
{
    is("__stuff_MOD_heat", true, "stuff::heat");
    is("__a_b_MOD_c_d.part.0", false, "a_b::c_d.part.0");
    is("__MOD_x", true, NULL);
    is("___MOD_x", true, NULL);
    is("__a_MOD_", true, NULL);
}

Test(demangle, what_is_not_mangled)
{
    is("main", true, NULL);
    is("", true, NULL);
    is("i", true, NULL);
    is("_Znonsense", true, NULL);
}

Test(demangle, endless_nesting_ends)
{
    static char name[200002];

    memset(name, 'P', 200000);
    memcpy(name, "_Z1f", 4);
    free(demangle(name, true));
}
