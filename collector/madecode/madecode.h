/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that a process makes at run time, as its runtime describes it to other programs:
 * in a perf map, a jitdump file, or the GDB JIT interface. Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_MADECODE_MADECODE_H
#define ERTOOLS_MADECODE_MADECODE_H

struct recording;

/* 1 if a list of the GDB JIT interface was found: its entries may go soon. */
int madecode_has_list(const struct recording *s);

/* Read what was added since the last time, and write it to the experiment. */
void madecode_read_new(struct recording *s);

/* Read and write for the last time, and free everything. */
void madecode_end(struct recording *s);

#endif
