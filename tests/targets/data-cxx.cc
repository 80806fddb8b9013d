// SPDX-License-Identifier: Apache-2.0
// build: out=libdataone.so -O1 -g -shared -fPIC -DTABLE=table_of_one
// build: out=libdatatwo.so -O1 -g -shared -fPIC -DTABLE=table_of_two
// build: -O1 -g
// link: -ldl
//
// Faults known numbers of pages of data that C++ has names for: a variable of a
// namespace, a static member, one of a function, one of an unnamed namespace, blocks by
// new and of a vector; and of two libraries that are loaded one after the other, often
// at one address. Prints PAGES NAME for each.
#include <cstddef>

enum { PAGE = 4096 };

#ifdef TABLE

enum { PAGES = 70 };

alignas(PAGE) char TABLE[PAGES * PAGE];

extern "C" int
work()
{
    for (std::size_t i = 0; i < PAGES; i++)
        *(volatile char *)&TABLE[i * PAGE] = 1;
    return PAGES;
}

#else

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

enum { SPACE = 40, MEMBER = 30, LOCAL = 20, HIDDEN = 25, MADE = 50, VECTOR = 35 };

namespace shop {
alignas(PAGE) static char shelf[SPACE * PAGE];
class counter {
public:
    static char till[MEMBER * PAGE];
};
alignas(PAGE) char counter::till[MEMBER * PAGE];
}

namespace {
alignas(PAGE) char hidden[HIDDEN * PAGE];
}

// Huge pages would be one fault for many of ours.
__attribute__((noinline)) static void
write_to(char *from, std::size_t pages)
{
    char *first = (char *)(((std::size_t)from + PAGE - 1) & ~(std::size_t)(PAGE - 1));

    madvise(first, pages * PAGE, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < pages; i++)
        *(volatile char *)(first + i * PAGE) = 1;
}

__attribute__((noinline)) static void
write_local()
{
    alignas(PAGE) static char local[LOCAL * PAGE];

    write_to(local, LOCAL);
}

__attribute__((noinline)) static char *
make()
{
    return new char[(MADE + 1) * PAGE];
}

// Unlike a vector's own, its elements do not become 0, which would fault them.
template <class T> struct lazy : std::allocator<T> {
    template <class U> struct rebind {
        using other = lazy<U>;
    };
    template <class U> void construct(U *) {}
};

__attribute__((noinline)) static std::vector<char, lazy<char>>
fill()
{
    return std::vector<char, lazy<char>>((VECTOR + 1) * PAGE);
}

static int
load(const std::string &path)
{
    void *library = dlopen(path.c_str(), RTLD_NOW);
    int pages = library ? ((int (*)())dlsym(library, "work"))() : 0;

    if (library)
        dlclose(library);
    return pages;
}

int
main(int argc, char **argv)
{
    std::string path = argc > 0 ? argv[0] : "";
    std::string here = path.substr(0, path.rfind('/') + 1);

    write_to(shop::shelf, SPACE);
    write_to(shop::counter::till, MEMBER);
    write_local();
    write_to(hidden, HIDDEN);

    char *made = make();
    write_to(made, MADE);
    std::vector<char, lazy<char>> filled = fill();
    write_to(filled.data(), VECTOR);

    std::printf("%d shop::shelf\n%d shop::counter::till\n%d local\n%d hidden\n"
                "%d make\n%d fill\n", SPACE, MEMBER, LOCAL, HIDDEN, MADE, VECTOR);
    std::printf("%d table_of_one\n", load(here + "libdataone.so"));
    std::printf("%d table_of_two\n", load(here + "libdatatwo.so"));
    delete[] made;
    return 0;
}

#endif
