/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls each operator new and delete, tells what it did; then exceptions through them,
 * and a handler that makes room for a new that found none. With an argument: nothing,
 * so that what the C++ library does for itself is seen.
 */
/* build: -O1 -g -fno-builtin -std=c++17 */
#include <cstdlib>
#include <new>

#include "heap-own.h"

static void *spare;

static void
make_room()
{
    std::free(spare);
    own_end(50);
    std::set_new_handler(nullptr);
}

static volatile std::size_t huge = std::size_t(-1) / 2;
static const auto wide = std::align_val_t(128);

static void
plain()
{
    void *p = own_begin(::operator new(10), 10);
    ::operator delete(p);
    own_end(10);
    p = own_begin(::operator new[](20), 20);
    ::operator delete[](p);
    own_end(20);
    p = own_begin(::operator new(30, std::nothrow), 30);
    ::operator delete(p, std::nothrow);
    own_end(30);
    p = own_begin(::operator new[](40, std::nothrow), 40);
    ::operator delete[](p, std::nothrow);
    own_end(40);
    p = own_begin(::operator new(11), 11);
    ::operator delete(p, std::size_t(11));
    own_end(11);
    p = own_begin(::operator new[](12), 12);
    ::operator delete[](p, std::size_t(12));
    own_end(12);
    own_begin(::operator new(1000), 1000);
    ::operator delete(static_cast<void *>(nullptr));
}

/* libstdc++ rounds sizes up to multiples of the alignment before aligned_alloc(). */
static void
aligned()
{
    void *p = own_begin(::operator new(128, wide), 128);
    ::operator delete(p, wide);
    own_end(128);
    p = own_begin(::operator new[](256, wide), 256);
    ::operator delete[](p, wide);
    own_end(256);
    p = own_begin(::operator new(128, wide, std::nothrow), 128);
    ::operator delete(p, wide, std::nothrow);
    own_end(128);
    p = own_begin(::operator new[](128, wide, std::nothrow), 128);
    ::operator delete[](p, wide, std::nothrow);
    own_end(128);
    p = own_begin(::operator new(128, wide), 128);
    ::operator delete(p, std::size_t(128), wide);
    own_end(128);
    p = own_begin(::operator new[](128, wide), 128);
    ::operator delete[](p, std::size_t(128), wide);
    own_end(128);
}

int
main(int argc, char **)
{
    if (argc > 1)
        return 0;
    plain();
    aligned();
    own_tell();
    spare = std::malloc(50);
    own_begin(spare, 50);
    std::set_new_handler(make_room);
    for (int i = 0; i < 3; i++) {
        try {
            (void)!::operator new(huge);
            return 1;
        } catch (const std::bad_alloc &) {
            own_begin(std::malloc(60), 60);
        }
    }
    return own.live_bytes == 1180 ? 0 : 2;
}
