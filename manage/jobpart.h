/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the sub-experiments of an MPI job's founders, and checks whether one founder
 * can have them all. Ordinary process context.
 */
#ifndef ERTOOLS_MANAGE_JOBPART_H
#define ERTOOLS_MANAGE_JOBPART_H

#include "manage/place.h"
#include "share/mpijob.h"
#include "share/types.h"

struct jobpart {
    char *name; /* of its directory */
    u32 source; /* index of the founder that contains it */
    bool is_rank; /* it is a rank, not a descendant of one */
    u32 rank;   /* in the name, if that has one */
    u32 world;  /* of a rank: the number of ranks that it has logged; 0 = not known */
};

struct jobparts {
    const struct place *source;
    u32 sources;
    struct jobpart *part; /* sorted by name when all have been added */
    u32 count;
    u32 room;
    char job[MPIJOB_BYTES]; /* the job's name, ending in a newline; "" = not known */
    u32 of; /* index of the founder from which `job` was read */
};

/*
 * Add the sub-experiments of one founder. 0; or 1, after a message, if they cannot be
 * gathered.
 */
int jobparts_add(struct jobparts *parts, u32 source);

/*
 * Sort the parts. Is each there only once, do the ranks agree on their number, and is
 * there a rank at all? If not, says so.
 */
bool jobparts_fit(struct jobparts *parts);

/* Report which ranks are missing, if the number of ranks is known. */
void jobparts_missing(const struct jobparts *parts);

void jobparts_free(struct jobparts *parts);

#endif
