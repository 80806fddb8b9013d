/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of mmap, brk and so on; calls by an allocator are not recorded. */
#include <stdarg.h>

#include "collector/heap/heap_real.h"
#include "collector/heap/heap_record.h"
#include "collector/libc/real.h"

/* Is the hook's caller one whose mappings are to be recorded? */
#define IS_WANTED() (!heap_real_is_allocator(__builtin_return_address(0)))

static u32
kind_of(int prot, int flags)
{
    if (!(flags & MAP_ANONYMOUS))
        return MAP_KIND_FILE;
    return prot == PROT_NONE ? MAP_KIND_NO_ACCESS : MAP_KIND_ANONYMOUS;
}

WRAPPER void *
mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
    void *p = HEAP_REAL(mmap)(at, size, prot, flags, fd, offset);

    if (p != MAP_FAILED && IS_WANTED())
        HEAP_RECORD(heap_mapped, p, size, kind_of(prot, flags));
    return p;
}

WRAPPER void *
mmap64(void *at, size_t size, int prot, int flags, int fd, off64_t offset)
{
    void *p = HEAP_REAL(mmap64)(at, size, prot, flags, fd, offset);

    if (p != MAP_FAILED && IS_WANTED())
        HEAP_RECORD(heap_mapped, p, size, kind_of(prot, flags));
    return p;
}

WRAPPER int
munmap(void *p, size_t size)
{
    struct heap_mark mark = heap_mark();
    int result = HEAP_REAL(munmap)(p, size);

    if (result == 0 && IS_WANTED())
        heap_unmapped(p, size, MAP_KIND_NONE, &mark);
    return result;
}

WRAPPER void *
mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
    struct heap_mark mark = heap_mark();
    va_list args;
    void *at, *p;

    va_start(args, flags);
    at = flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) ? va_arg(args, void *) : NULL;
    va_end(args);
    p = HEAP_REAL(mremap)(old, old_size, size, flags, at);
    /* With MREMAP_DONTUNMAP the old mapping stays, empty. */
    if (p != MAP_FAILED && IS_WANTED())
        HEAP_RECORD(heap_remapped, old, flags & MREMAP_DONTUNMAP ? 0 : old_size, p,
                    size, &mark);
    return p;
}

/* Record that the break has moved from `old` to `now`, up or down. */
#define RECORD_BREAK(old, now, mark)                                                 \
    do {                                                                             \
        if ((now) > (old) && IS_WANTED())                                            \
            HEAP_RECORD(heap_mapped, (old), (size_t)((now) - (old)), MAP_KIND_BREAK); \
        else if ((now) < (old) && IS_WANTED())                                       \
            heap_unmapped((now), (size_t)((old) - (now)), MAP_KIND_BREAK, (mark));   \
    } while (0)

WRAPPER int
brk(void *end)
{
    struct heap_mark mark = heap_mark();
    char *old = HEAP_REAL(sbrk)(0), *now = end;
    int result = HEAP_REAL(brk)(end);

    if (result == 0)
        RECORD_BREAK(old, now, &mark);
    return result;
}

WRAPPER void *
sbrk(intptr_t step)
{
    struct heap_mark mark = heap_mark();
    char *old = HEAP_REAL(sbrk)(step);

    if (old != (void *)-1)
        RECORD_BREAK(old, old + step, &mark);
    return old;
}
