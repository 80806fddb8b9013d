/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines for map.xml, gathered and appended to it. Normal context of the target, inside
 * a guard.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MAPTEXT_H
#define ERTOOLS_COLLECTOR_PRELOAD_MAPTEXT_H

#include "share/fmt.h"
#include "share/types.h"

enum {
    MAPTEXT_BYTES = 8192,
};

struct maptext {
    struct fmt f; /* where the next line goes */
    int fd;
    int failed; /* 1 = map.xml could not be opened or written: write nothing more */
    u32 lines;  /* number of lines in text that are not written yet */
    char text[MAPTEXT_BYTES];
};

void maptext_open(struct maptext *t);

/* End an element and its line. */
void maptext_end_line(struct maptext *t);

/*
 * Write the remaining lines, and close map.xml. Lines that cannot be written are
 * counted on the control page, and the launcher is asked to list the objects.
 */
void maptext_close(struct maptext *t);

#endif
