/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in a file a function's code begins, by its symbol tables. Nothing in the file
 * is trusted. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_ELFSYM_H
#define ERTOOLS_LAUNCH_ELFSYM_H

#include "share/types.h"

/*
 * Set *offset, in bytes of the file, to the beginning of the function of that name. 0;
 * -ENOENT: it has no such function; -EEXIST: it has several; -ENOTUNIQ: it is an ifunc,
 * whose function is chosen at run time; -ENOEXEC: no ELF file of 64 bits, or a damaged
 * one; or -errno.
 */
int elfsym_find(const char *path, const char *name, u64 *offset);

/* Set *address to that of an exported variable, as the file was linked. */
int elfsym_variable(const char *path, const char *name, u64 *address);

/* The place of the program's entry point. */
int elfsym_entry(const char *path, u64 *offset);

#endif
