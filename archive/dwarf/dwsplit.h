/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Split DWARF: finds the unit that a skeleton stands for, in a .dwo file or in the .dwp
 * package beside the object. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWSPLIT_H
#define ERTOOLS_ARCHIVE_DWARF_DWSPLIT_H

#include "archive/dwarf/dwfile.h"
#include "archive/object/objwrite.h"

struct dwsplit {
    struct objwrite *w; /* gets sources and notes */
    const char *object; /* path of the load object */
    const char *debug;  /* path of the file with the skeletons */
    bool tried;         /* the package has been looked for */
    bool has_package;
    struct image package;
    struct dwfile package_file;
    struct bytes index; /* .debug_cu_index */
    u32 missing;        /* units that were not found */
};

/* One split unit, open. */
struct dwsplit_unit {
    struct dwunit *unit;
    struct image img; /* its own .dwo file; unused for a package */
    struct dwfile file;
    bool owned; /* `img` and `file` are open */
};

/*
 * Opens the split unit of a started skeleton. 0, or -ENOENT. On success, call
 * dwsplit_close() later.
 */
int dwsplit_open(struct dwsplit *s, struct dwunit *skeleton, struct dwsplit_unit *out);

/* Closes the unit. Notes what could not be read in its file. */
void dwsplit_close(struct dwsplit *s, struct dwsplit_unit *unit);

void dwsplit_free(struct dwsplit *s);

#endif
