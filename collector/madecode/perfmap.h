/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /tmp/perf-PID.map: a line `START SIZE NAME` (hexadecimal) for each function that a
 * process made at run time, as runtimes leave it for perf (node --perf-basic-prof,
 * python -X perf, PHP, the BEAM, LuaJIT, .NET). Read while the process runs, also in
 * its own mount and PID namespace, and at its end. Normal context of the launcher.
 */
#ifndef ERTOOLS_MADECODE_PERFMAP_H
#define ERTOOLS_MADECODE_PERFMAP_H

#include <stddef.h>

#include "share/types.h"

struct recording;

/* Read the lines that were added since the last time, and record their functions. */
void perfmap_read_new(struct recording *s);

/*
 * Read the file for the last time; with -j jit remove it, if the process made it. Does
 * neither if the process has become another program. Then close the file.
 */
void perfmap_end(struct recording *s);

/* A line's function. The name is in the line, not terminated. */
struct perfmap_line {
    u64 addr;
    u64 size;
    const char *name;
    u32 name_len;
    const char *source; /* a path within the name; source_len 0 = none */
    u32 source_len;
    u32 number; /* line of the function's declaration in the source, 0 = not known */
};

/* Set source, source_len and number from the name. */
void perfmap_source(struct perfmap_line *line);

/* Parse a line, given without its newline. 0 or -EINVAL. */
int perfmap_parse(const char *line, size_t len, struct perfmap_line *out);

#endif
