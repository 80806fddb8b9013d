/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/briefname.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void
is(const char *name, const char *wanted)
{
    char *brief = briefname(name);

    cr_assert_str_eq(brief, wanted);
    free(brief);
}

Test(briefname, templates)
{
    is("std::vector<int, std::allocator<int> >::size", "std::vector<..>::size");
    is("f<(A)1, decltype (((a)->b))>::g", "f<..>::g");
    is("foo::<T>", "foo::<..>");
    is("plain", "plain");
    is("cut<int", "cut<..>");
    is("", "");
}

Test(briefname, operators)
{
    is("operator<", "operator<");
    is("A<int>::operator<< <char>", "A<..>::operator<< <char>");
    is("A<int>::operator->", "A<..>::operator->");
    is("my_operator<int>", "my_operator<..>");
    is("B::operator<=><int>", "B::operator<=><int>");
}

Test(briefname, lambdas)
{
    is("main::{lambda(int, A<int>)#2}::operator()", "main::{lambda#2}::operator()");
    is("main::$_1::operator()", "main::{lambda#2}::operator()");
    is("main::$_", "main::$_");
}

Test(briefname, namespaces)
{
    is("(anonymous namespace)::f[abi:cxx11]", "f");
    is("std::__cxx11::basic_string<char>::append", "std::basic_string<..>::append");
    is("std::__1::sort<int*>", "std::sort<..>");
}

Test(briefname, rust)
{
    is("<alloc::vec::Vec<T> as core::ops::Drop>::drop",
       "<alloc::vec::Vec<..> as core::ops::Drop>::drop");
}
