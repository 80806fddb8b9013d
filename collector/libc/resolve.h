/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the functions of other libraries that one of ours replaces. Linked into each
 * library that goes into a target. Normal context, any thread.
 */
#ifndef ERTOOLS_COLLECTOR_LIBC_RESOLVE_H
#define ERTOOLS_COLLECTOR_LIBC_RESOLVE_H

#include <stddef.h>

/*
 * The real function that this library replaces under this name: by RTLD_NEXT, or in a
 * process that ran before this library was loaded, the first definition in load order.
 */
void *resolve_next(const char *name);

/*
 * A row of libc.def: the function's name, and the offset of its pointer in the struct
 * of the library's real functions.
 */
struct resolve_call {
    const char *name;
    size_t offset;
};

#define RESOLVE_CALL(of, name) { #name, offsetof(struct of, name) }

/* Set the pointer of one call in the struct at reals; other threads see it whole. */
static inline void
resolve_set(void *reals, const struct resolve_call *call, void *function)
{
    void **at = (void **)(void *)((char *)reals + call->offset);

    __atomic_store_n(at, function, __ATOMIC_RELEASE);
}

/*
 * Set the pointers of all calls to the real functions. A function that an older libc
 * lacks gets a replacement that returns -1 with ENOSYS, so only functions that return a
 * number may be missing. Keeps errno.
 */
void resolve_all(void *reals, const struct resolve_call *calls, size_t count);

/* 1 = the process ran before this library was loaded. */
int resolve_is_late(void);

#endif
