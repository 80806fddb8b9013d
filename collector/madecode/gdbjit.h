/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GDB JIT interface: a list of object files in the memory of a process, each of
 * which describes code made at run time. LLVM (lli, Numba, Mesa), PostgreSQL and others
 * keep such lists for debuggers. The variable __jit_debug_descriptor points to the
 * list; each library with a compiler has one. It is read from outside, while the
 * process runs, and nothing in it is trusted. Normal context of the launcher.
 */
#ifndef ERTOOLS_MADECODE_GDBJIT_H
#define ERTOOLS_MADECODE_GDBJIT_H

#include "share/types.h"

struct gdbjit;
struct recording;

/*
 * 1 if the mapping that begins at lo was not searched yet; marks it as searched. 0 also
 * without memory.
 */
int gdbjit_is_new(struct gdbjit *g, u64 lo);

/*
 * Add the list of a file, if it has one. Call for each file of which a process that
 * makes code has mapped code. bias: what is added to the file's addresses.
 */
void gdbjit_found(struct gdbjit *g, const char *path, u64 bias);

/*
 * Read the entries that were added to the lists since the last time, and record their
 * functions.
 */
void gdbjit_read_new(struct recording *s);

void gdbjit_end(struct recording *s);

/* A function of an object file; the name points into the file's bytes. */
struct gdbjit_function {
    u64 addr;
    u64 size;
    const char *name;
};

/*
 * Call `put` with each function of an object file in memory, until it returns a value
 * other than 0, which is returned. Otherwise 0, or -EINVAL: it is not an object file,
 * or a damaged one.
 */
int gdbjit_parse(const unsigned char *file, u64 size,
                 int (*put)(void *context, const struct gdbjit_function *function),
                 void *context);

#endif
