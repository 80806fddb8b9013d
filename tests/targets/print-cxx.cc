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

} // namespace lab

int
main()
{
    lab::Table<double> table;

    for (int i = 0; i < 40; i++)
        table.fill(50000);
    std::printf("%g\n", table.rows[7]);
    return 0;
}
