/* SPDX-License-Identifier: Apache-2.0 */
/* build: name=d5 -O2 -gdwarf-5 */
/* build: name=d4 -O2 -gdwarf-4 */
/* build: name=d3 -O1 -gdwarf-3 -gstrict-dwarf */
/* build: name=d2 -O2 -gdwarf-2 -gstrict-dwarf */
/* build: name=c5 cc=clang++ -O2 -gdwarf-5 */
/* build: name=c4 cc=clang++ -O2 -gdwarf-4 */
/* Templates, lambdas, exceptions and what the standard library inlines. */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace app {
namespace {

struct shape {
    virtual ~shape() {}
    virtual double area() const = 0;
};

struct square : shape {
    double side;
    explicit square(double s) : side(s) {}
    double area() const override { return side * side; }
};

template <class T>
inline __attribute__((always_inline)) T
twice(T x)
{
    return x + x;
}

} // namespace

class engine
{
  public:
    void fill(int n);
    double run();

  private:
    std::map<std::string, std::vector<int>> table;
    std::set<int> seen;
};

void
engine::fill(int n)
{
    for (int i = 0; i < n; i++) {
        table[std::to_string(i % 10)].push_back(twice(twice(i)));
        seen.insert(i % 7);
    }
}

double
engine::run()
{
    std::vector<std::unique_ptr<shape>> shapes;
    double total = static_cast<double>(seen.size());

    for (auto &row : table) {
        std::sort(row.second.begin(), row.second.end(),
                  [](int a, int b) { return a > b; });
        total += row.second.front();
        shapes.emplace_back(new square(row.second.back()));
    }
    for (auto &s : shapes)
        total += s->area();
    if (total < 0)
        throw std::runtime_error("negative " + std::to_string(total));
    return total;
}

} // namespace app

int
main(int argc, char **)
{
    app::engine e;
    std::function<double()> run = [&] { return e.run(); };

    e.fill(100 * argc);
    std::printf("%g\n", run());
    return 0;
}
