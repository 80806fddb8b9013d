/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes the kernel that ran by an object file with its functions. They come from
 * kallsyms: from the copy that perf keeps by build-id, or from this machine if it runs
 * the same kernel. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_KERNEL_H
#define ERTOOLS_IMPORT_KERNEL_H

#include "import/import.h"

#define KERNEL_NAME "[kernel.kallsyms]"

/* The lowest address of the kernel. */
#define KERNEL_FROM 0xffff800000000000ull

/*
 * Write archives/KEY.ero in the experiment's directory for each kernel that is an
 * object of a process, if its symbols are found. 0 or -errno.
 */
int kernel_describe(const struct import *im, int dir);

/*
 * Write the functions in the contents of /proc/kallsyms as an object file to `fd`. 0;
 * -ENOENT: none has an address from KERNEL_FROM on; else -errno.
 */
int kernel_write(struct bytes kallsyms, const char *buildid, int fd);

#endif
