/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that a process makes at run time, as its runtime describes it to other programs:
 * in a perf map, a jitdump file, or the GDB JIT interface. Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_MADECODE_MADECODE_H
#define ERTOOLS_MADECODE_MADECODE_H

#include "collector/madecode/gdbjit.h"
#include "collector/madecode/jitdump.h"
#include "collector/madecode/perfmap.h"

struct madewrite;
struct recording;

/* What is known of the code of one process. All zero at first. */
struct madecode {
    struct perfmap perfmap;
    struct jitdump jitdump;
    struct gdbjit gdbjit;
    struct madewrite *write; /* NULL: nothing to write yet */
};

/*
 * The struct madecode of a session, which is allocated by the first call, and freed by
 * madecode_end(). NULL: there is no memory for it.
 */
struct madecode *madecode_of(struct recording *s);

/* 1 if a list of the GDB JIT interface was found: its entries may go soon. */
int madecode_has_list(const struct recording *s);

/* Read what was added since the last time, and write it to the experiment. */
void madecode_read_new(struct recording *s);

/* Read and write for the last time, and free everything. */
void madecode_end(struct recording *s);

#endif
