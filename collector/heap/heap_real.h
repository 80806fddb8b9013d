/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real functions of the HEAP rows of libc.def: the next ones in the target's search
 * order, libc's or another allocator's. Any context. The first call of any of them
 * looks up all that libc always has; allocations during that look-up are served from
 * the arena. C++ operators are looked up when one of them is called: before that, there
 * may be no C++ runtime. Functions that libc may lack are not looked up: they get
 * replacements.
 */
#ifndef ERTOOLS_COLLECTOR_HEAP_HEAP_REAL_H
#define ERTOOLS_COLLECTOR_HEAP_HEAP_REAL_H

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "share/types.h"

/* Declare each again: the compiler rejects a row that differs from libc's header. */
#define LIBC_FOR_HEAP
#define ROW(type, name, params, ...) type name params;
#include "collector/libc/libc.def"

struct heap_real {
#define LIBC_FOR_HEAP
#define ROW(type, name, params, ...) type(*name) params;
#include "collector/libc/libc.def"
};

/* malloc, calloc, realloc and free are always there; others may be NULL. */
extern struct heap_real heap_real;

/* Look up all functions that libc always has, once. Keeps errno. */
void heap_real_start(void);

/*
 * Called at the first call of a function that is not looked up at the start. For a C++
 * operator: looks up all operators, also in a C++ runtime that was loaded late and that
 * RTLD_NEXT does not find. Else, and for operators that no object defines: sets
 * replacements. Afterwards every function of that kind is set.
 */
void heap_real_late(const char *name);

/*
 * Our malloc and operator new, even if another object's come first in the search order.
 */
void *heap_malloc(size_t size);
void *heap_new(size_t size);

/*
 * 1 if pc is in the object of the real malloc(), and that is not libc. Mappings of such
 * an allocator are not recorded, since the blocks in them are.
 */
int heap_real_is_allocator(const void *pc);

/*
 * Where the loader is, in a program that has AddressSanitizer or LeakSanitizer; else
 * the size is 0. LeakSanitizer recognizes the loader's blocks by the direct caller of
 * its malloc being in the loader. So such calls are passed on by a jump, and are not
 * recorded.
 */
extern u64 heap_loader, heap_loader_size;

static inline int
heap_is_for_loader(const void *caller)
{
    return ER_UNLIKELY(heap_loader_size) &&
           (u64)(uintptr_t)caller - heap_loader < heap_loader_size;
}

#define HEAP_REAL(name) \
    (ER_LIKELY(heap_real.name) ? heap_real.name \
                               : (heap_real_late(#name), heap_real.name))

#endif
