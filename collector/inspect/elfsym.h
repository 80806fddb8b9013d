/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where in a file a function's code begins, by the file's symbol tables. Nothing
 * in the file is trusted. Normal context of the launcher.
 */
#ifndef ERTOOLS_INSPECT_ELFSYM_H
#define ERTOOLS_INSPECT_ELFSYM_H

#include "share/types.h"

/*
 * Set *offset to the file offset of a function. name: a symbol, or the plain name of a
 * C++ function, as ns::Class::f. 0; -ENOENT: the file has no such function; -EEXIST: it
 * has several local ones, or several with that plain name; -ENOTUNIQ: it is an ifunc,
 * whose function is chosen at run time; -ENOEXEC: not a 64-bit ELF file, or a damaged
 * one; or -errno.
 */
int elfsym_find(const char *path, const char *name, u64 *offset);

/*
 * Set *address to the link-time address of an exported variable. 0; -ENOENT: there is
 * none; or -errno.
 */
int elfsym_variable(const char *path, const char *name, u64 *address);

/* Set *offset to the file offset of the program's entry point. 0 or -errno. */
int elfsym_entry(const char *path, u64 *offset);

#endif
