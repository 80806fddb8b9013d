/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the kernel that ran, as an object file. They come from kallsyms: the
 * copy that perf keeps of it by build-id, or this machine's own if that is the kernel.
 * Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_KERNEL_H
#define ERTOOLS_IMPORT_KERNEL_H

#include "import/import.h"

#define KERNEL_NAME "[kernel.kallsyms]"

/* Where the kernel's code is: this and all above it. */
#define KERNEL_FROM 0xffff800000000000ull

/*
 * Write archives/KEY.ero in the directory of an experiment for each kernel that a
 * process has as an object and whose symbols are found. 0 or -errno.
 */
int kernel_describe(const struct import *im, int dir);

/*
 * What /proc/kallsyms would hold, as an object file to the descriptor. 0; -ENOENT: no
 * symbol with an address; else -errno.
 */
int kernel_write(struct bytes kallsyms, const char *buildid, int fd);

#endif
