/* SPDX-License-Identifier: Apache-2.0 */
/* A library that throws, catches, throws again and sorts; bound lazily. */
/* build: out=libsigthrow.so -shared -fPIC -O2 -Wl,-z,lazy */
/* build: out=libsigthrow-o0.so -shared -fPIC -O0 -Wl,-z,lazy */
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Guard {
    int *count;
    ~Guard() { ++*count; }
};

__attribute__((noinline)) int
thrower(int depth, int *count)
{
    Guard guard{ count };

    if (depth == 0)
        throw std::runtime_error("at the bottom");
    return thrower(depth - 1, count) + 1;
}

/* Each other frame throws again, or something else. */
__attribute__((noinline)) int
passer(int depth)
{
    try {
        if (depth == 0)
            throw 1;
        return passer(depth - 1) + 1;
    } catch (const std::exception &) {
        return 1;
    } catch (...) {
        if (depth == 2)
            throw std::runtime_error("on the way");
        if (depth & 1)
            throw;
        throw depth;
    }
}

} // namespace

extern "C" int
sig_throw(int rounds)
{
    int count = 0;
    std::map<std::string, int> names;

    for (int i = 0; i < rounds; i++) {
        try {
            thrower(i * 3 % 7, &count);
        } catch (const std::runtime_error &e) {
            names[e.what() + std::to_string(i)] = i;
        }
    }
    count += passer(3);
    std::vector<int> values;
    for (const auto &n : names)
        values.push_back(n.second * 7 % 13);
    std::sort(values.begin(), values.end());
    return count + values.front();
}
