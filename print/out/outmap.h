/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One address space for the load objects of all processes: each object is where the
 * first process that used it had it or, if another object is there already, at a free
 * place. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_OUT_OUTMAP_H
#define ERTOOLS_PRINT_OUT_OUTMAP_H

#include "print/out/stackset.h"

struct outmap_row {
    u32 object;
    u64 bias;  /* address = link-time vaddr + bias */
    u64 start; /* its code is in [start, end) */
    u64 end;
};

struct outmap {
    struct outmap_row *row; /* the main program first */
    u32 count;
    u32 room;
    u32 *of_object; /* by object: index of its row + 1, 0 = none */
    u32 nobjects;
};

/* Place the objects that the set's locations are in. 0 and *map; or -ENOMEM. */
int outmap_open(const struct out *out, const struct stackset *set, struct outmap *map);
void outmap_close(struct outmap *map);

/*
 * Get the offset in the object's file at which a row's code begins, by the program
 * headers of the file that is at the object's path now; if they do not tell, get the
 * code's link-time address.
 */
u64 outmap_offset(struct session *session, const struct outmap_row *row);

/*
 * Get the program that was run, for a format that describes only that. False if no
 * stack is in it, or its code is not known, as in an import that has only names of
 * functions, whose addresses are invented: then the user is told that the file is
 * empty.
 */
bool outmap_program(struct out *out, const struct outmap *map, u32 *object,
                    const struct objfile **file);

/* Get where an object is; NULL if it has no addresses. */
const struct outmap_row *outmap_of(const struct outmap *map, u32 object);

#endif
