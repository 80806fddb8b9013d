/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a map that a lambda fills; another lambda, which is inlined, calls that one. */
/* build: -O1 -g -std=c++17 */
/* build: name=plain -O1 -std=c++17 */
#include <map>
#include <string>

int
main(int argc, char **)
{
    auto *map = new std::map<std::string, std::string>;
    auto fill = [map](int n) __attribute__((noinline)) { /* fill */
        for (int i = 0; i < n; i++)
            map->emplace(std::to_string(i), "a text that needs memory of its own");
    };
    auto call = [&](int n) __attribute__((always_inline)) { fill(n + 1); }; /* call */

    call(argc);
    delete map;
    return 0;
}
