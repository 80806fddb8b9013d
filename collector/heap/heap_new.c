/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators new and delete. Each call is recorded once: here, or in the malloc() or
 * free() that the operator calls. Exceptions of the real operators pass through the
 * hooks, which need no clean-up.
 */
#include "collector/heap/heap_real.h"
#include "collector/heap/heap_record.h"
#include "collector/libc/real.h"

WRAPPER void *
_Znwm(size_t size)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_Znwm)(size);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

void *heap_new(size_t size) __attribute__((alias("_Znwm")));

WRAPPER void *
_Znam(size_t size)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_Znam)(size);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
_ZnwmRKSt9nothrow_t(size_t size, const void *tag)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_ZnwmRKSt9nothrow_t)(size, tag);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
_ZnamRKSt9nothrow_t(size_t size, const void *tag)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_ZnamRKSt9nothrow_t)(size, tag);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
_ZnwmSt11align_val_t(size_t size, size_t align)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_ZnwmSt11align_val_t)(size, align);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
_ZnamSt11align_val_t(size_t size, size_t align)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_ZnamSt11align_val_t)(size, align);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t align, const void *tag)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_ZnwmSt11align_val_tRKSt9nothrow_t)(size, align, tag);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void *
_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t align, const void *tag)
{
    struct heap_mark mark = heap_mark_begin();
    void *p = HEAP_REAL(_ZnamSt11align_val_tRKSt9nothrow_t)(size, align, tag);

    HEAP_RECORD(heap_begun_since, p, size, &mark);
    return p;
}

WRAPPER void
_ZdlPv(void *p)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdlPv)(p);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdaPv(void *p)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdaPv)(p);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdlPvm(void *p, size_t size)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdlPvm)(p, size);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdaPvm(void *p, size_t size)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdaPvm)(p, size);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdlPvRKSt9nothrow_t(void *p, const void *tag)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdlPvRKSt9nothrow_t)(p, tag);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdaPvRKSt9nothrow_t(void *p, const void *tag)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdaPvRKSt9nothrow_t)(p, tag);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdlPvSt11align_val_t(void *p, size_t align)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdlPvSt11align_val_t)(p, align);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdaPvSt11align_val_t(void *p, size_t align)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdaPvSt11align_val_t)(p, align);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdlPvmSt11align_val_t(void *p, size_t size, size_t align)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdlPvmSt11align_val_t)(p, size, align);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdaPvmSt11align_val_t(void *p, size_t size, size_t align)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdaPvmSt11align_val_t)(p, size, align);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdlPvSt11align_val_tRKSt9nothrow_t(void *p, size_t align, const void *tag)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdlPvSt11align_val_tRKSt9nothrow_t)(p, align, tag);
    if (p)
        heap_ended_since(p, &mark);
}

WRAPPER void
_ZdaPvSt11align_val_tRKSt9nothrow_t(void *p, size_t align, const void *tag)
{
    struct heap_mark mark = heap_mark();

    HEAP_REAL(_ZdaPvSt11align_val_tRKSt9nothrow_t)(p, align, tag);
    if (p)
        heap_ended_since(p, &mark);
}
