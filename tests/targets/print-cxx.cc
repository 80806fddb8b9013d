/* SPDX-License-Identifier: Apache-2.0 */
/* Most of its time is in lab::Table<double>::fill(int), in `weigh` inlined there. */
#include <cstdio>
#include <vector>

namespace lab {

inline double
weigh(double x)
{
    for (int i = 0; i < 40; i++)
        x = x * 0.999 + 1 / (x + 1);
    return x;
}

template <class T> struct Table {
    std::vector<T> rows;

    __attribute__((noinline)) void
    fill(int n)
    {
        rows.clear();
        for (int i = 0; i < n; i++)
            rows.push_back(T(weigh(i)));
    }
};

struct Point {
    int x;

    bool operator==(const Point &other) const;
    explicit operator long() const;
};

bool
Point::operator==(const Point &other) const
{
    return x == other.x;
}

Point::operator long() const
{
    return x;
}

} // namespace lab

namespace {

template <class T>
__attribute__((noinline)) bool
is_odd(T n)
{
    return n & 1;
}

} // namespace

int
main(int argc, char **)
{
    lab::Table<double> table;
    lab::Point a = { argc }, b = { argc + 1 };

    if (a == b || is_odd(long(a) * 2))
        return 1;

    for (int i = 0; i < 40; i++)
        table.fill(50000);
    std::printf("%g\n", table.rows[7]);
    return 0;
}
