/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of malloc and similar functions. For blocks of the arena, neither the
 * allocation nor the freeing is recorded.
 */
#include <errno.h>
#include <string.h>

#include "collector/heap/arena.h"
#include "collector/heap/heap_real.h"
#include "collector/heap/heap_record.h"
#include "collector/libc/real.h"

WRAPPER void *
malloc(size_t size)
{
    void *p;

    if (heap_is_for_loader(__builtin_return_address(0)))
        return heap_real.malloc(size);
    p = heap_real.malloc(size);
    HEAP_RECORD(heap_begun, p, size);
    return p;
}

#ifdef __clang__
void *heap_malloc(size_t size) __attribute__((alias("malloc")));
#else
void *heap_malloc(size_t size) __attribute__((alias("malloc"), copy(malloc)));
#endif

WRAPPER void
free(void *p)
{
    if (ER_UNLIKELY(arena_owns(p)))
        return;
    if (p && ER_LIKELY(trace_is_on()))
        heap_ends(p);
    heap_real.free(p);
}

WRAPPER void
free_sized(void *p, size_t size)
{
    if (ER_UNLIKELY(arena_owns(p)))
        return;
    if (p && ER_LIKELY(trace_is_on()))
        heap_ends(p);
    HEAP_REAL(free_sized)(p, size);
}

WRAPPER void
free_aligned_sized(void *p, size_t align, size_t size)
{
    if (ER_UNLIKELY(arena_owns(p)))
        return;
    if (p && ER_LIKELY(trace_is_on()))
        heap_ends(p);
    HEAP_REAL(free_aligned_sized)(p, align, size);
}

WRAPPER void
cfree(void *p)
{
    if (ER_UNLIKELY(arena_owns(p)))
        return;
    if (p && ER_LIKELY(trace_is_on()))
        heap_ends(p);
    HEAP_REAL(cfree)(p);
}

WRAPPER void *
calloc(size_t count, size_t size)
{
    struct heap_mark mark;
    void *p;

    if (heap_is_for_loader(__builtin_return_address(0)))
        return heap_real.calloc(count, size);
    mark = heap_mark_begin();
    p = heap_real.calloc(count, size);
    HEAP_RECORD(heap_begun_since, p, count * size, &mark);
    return p;
}

/* Move a block from the arena to the real heap; it is recorded as a new block. */
static void *
move_out(const void *old, size_t size)
{
    size_t bytes = arena_size(old) < size ? arena_size(old) : size;
    void *p = heap_real.malloc(size);

    return p ? memcpy(p, old, bytes) : NULL;
}

WRAPPER void *
realloc(void *old, size_t size)
{
    int moves = arena_owns(old);
    struct heap_mark mark;
    void *p;

    if (!moves && heap_is_for_loader(__builtin_return_address(0)))
        return heap_real.realloc(old, size);
    mark = heap_mark();
    p = moves ? move_out(old, size) : heap_real.realloc(old, size);
    HEAP_RECORD(heap_changed, moves ? NULL : old, p, size, &mark);
    return p;
}

WRAPPER void *
reallocarray(void *old, size_t count, size_t size)
{
    int moves = arena_owns(old);
    struct heap_mark mark = heap_mark();
    size_t bytes;
    void *p;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        p = NULL;
        bytes = SIZE_MAX;
    } else if (moves) {
        p = move_out(old, bytes);
    } else if (HEAP_REAL(reallocarray)) {
        p = heap_real.reallocarray(old, count, size);
    } else { /* the real functions are being looked up, or libc is old */
        p = heap_real.realloc(old, bytes);
    }
    HEAP_RECORD(heap_changed, moves ? NULL : old, p, bytes, &mark);
    return p;
}

WRAPPER void *
reallocf(void *old, size_t size)
{
    int moves = arena_owns(old);
    struct heap_mark mark = heap_mark();
    void *p = moves ? move_out(old, size) : HEAP_REAL(reallocf)(old, size);

    /* Unlike realloc(), reallocf() frees a block that it cannot resize: size 0. */
    HEAP_RECORD(heap_changed, moves ? NULL : old, p, p ? size : 0, &mark);
    return p;
}

WRAPPER int
posix_memalign(void **block, size_t align, size_t size)
{
    struct heap_mark mark = heap_mark_begin();
    int error = HEAP_REAL(posix_memalign)(block, align, size);

    HEAP_RECORD(heap_begun_since, error ? NULL : *block, size, &mark);
    return error;
}

WRAPPER void *
aligned_alloc(size_t align, size_t size)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(aligned_alloc)(align, size);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
memalign(size_t align, size_t size)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(memalign)(align, size);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
valloc(size_t size)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(valloc)(size);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
pvalloc(size_t size)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(pvalloc)(size);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER size_t
malloc_usable_size(void *p)
{
    if (ER_UNLIKELY(arena_owns(p)))
        return arena_size(p);
    return HEAP_REAL(malloc_usable_size)(p);
}
