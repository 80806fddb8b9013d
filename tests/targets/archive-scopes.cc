/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/* build: name=clang cc=clang++ -O2 -g */
/* Inlined functions that other files cannot see, in namespaces, classes, functions. */
#include <cstdio>

namespace outer {
namespace inner {

static inline double
hidden(double x)
{
    for (int i = 0; i < 9; i++)
        x = x * x + i;
    return x;
}

} // namespace inner

namespace {

struct local {
    double value;

    double
    grow(double by) const
    {
        double sum = value;

        for (int i = 0; i < 7; i++)
            sum = sum * by - i;
        return sum;
    }
};

/* Is not inlined. */
__attribute__((noinline)) double
both(double x)
{
    return x * 3 + 1;
}

} // namespace

double
work(double x)
{
    auto twist = [](double y) {
        for (int i = 0; i < 5; i++)
            y = y / (i + 2) + y;
        return y;
    };
    local here = {x};

    return inner::hidden(x) + here.grow(x) + twist(x) + both(x);
}

} // namespace outer

/* Its symbol with the better name is what it is called, also where it is inlined. */
extern "C" {
double
__archive_alias(double x)
{
    for (int i = 0; i < 3; i++)
        x = x * x - i;
    return x;
}

double archive_alias(double x) __attribute__((alias("__archive_alias")));
}

int
main(int argc, char **)
{
    std::printf("%g\n", outer::work(__archive_alias(argc)));
    return 0;
}
