/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/io/io_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

#include "collector/hook/trace.h"
#include "collector/libc/resolve.h"

static const struct resolve_call calls[] = {
#define LIBC_FOR_IO
#define ROW(type, name, ...) RESOLVE_CALL(io_real, name),
#include "collector/libc/libc.def"
};

struct io_real io_real;

u64 io_own_lo, io_own_bytes;

void
io_real_start(void)
{
    resolve_all(&io_real, calls, ER_COUNT(calls));
}

/*
 * Keep the range of libcollector.so: it is the object that contains one of the
 * collector's functions.
 */
static int
each_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    u64 lo, hi;

    (void)size;
    trace_extent(info, &lo, &hi);
    if ((u64)(uintptr_t)arg - lo >= hi - lo)
        return 0;
    io_own_lo = lo;
    io_own_bytes = hi - lo;
    return 1;
}

static void
find_own(void)
{
    dl_iterate_phdr(each_object, (void *)(uintptr_t)trace_services->walk);
}

__attribute__((constructor)) static void
start(void)
{
    int saved = errno;

    if (!io_real.read)
        io_real_start();
    trace_start((const void *)(uintptr_t)io_real_start, find_own);
    /*
     * Find libcollector.so even before recording begins, since the collector writes its
     * log earlier.
     */
    if (trace_services)
        find_own();
    errno = saved;
}
