/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/briefname.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void
is_at(const char *name, u32 line, const char *wanted)
{
    char *brief = briefname(name, line);

    cr_assert_str_eq(brief, wanted);
    free(brief);
}

static void
is(const char *name, const char *wanted)
{
    is_at(name, 0, wanted);
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
    is("A<int>::operator<< <char>", "A<..>::operator<< <..>");
    is("std::operator==<char>", "std::operator==<..>");
    is("A::operator()<B<int> >", "A::operator()<..>");
    is("A::operator int", "A::operator int");
    is("operator new[]", "operator new[]");
    is("A<int>::operator->", "A<..>::operator->");
    is("my_operator<int>", "my_operator<..>");
    is("B::operator<=><int>", "B::operator<=><..>");
}

Test(briefname, lambdas)
{
    is("main::{lambda(int, A<int>)#2}::operator()", "main::{lambda#2}::operator()");
    is("main::$_1::operator()", "main::{lambda#2}::operator()");
    is("main::$_", "main::$_");
    is("main()::<lambda(int)>::operator()", "main()::{lambda}::operator()");
    is("f<main::{lambda(int)#3}>", "f<..>");
    is("(anonymous at line 7)::f", "(anonymous at line 7)::f");
    is("{lambda(int", "{lambda(int");
}

Test(briefname, one_spelling)
{
    is_at("main::{lambda(int)#2}::operator()", 7, "main::{lambda:7}::operator()");
    is_at("main::$_1::operator()", 7, "main::{lambda:7}::operator()");
    is_at("main::(anonymous at line 7)::operator()", 7, "main::{lambda:7}::operator()");
    is_at("main::(anonymous at line 7)::operator()<A, A>", 8,
          "main::{lambda:7}::operator()<..>");
    is_at("f::{lambda()#1}::operator()::{lambda()#2}::operator()", 9,
          "f::{lambda#1}::operator()::{lambda:9}::operator()");
    is_at("main::{lambda(int)#2}::_FUN", 7, "main::{lambda#2}::_FUN");
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
