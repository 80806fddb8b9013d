/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sub-experiments of an MPI job's founders: which there are, and whether they can
 * lie beside each other. Ordinary process context.
 */
#ifndef ERTOOLS_MANAGE_JOBPART_H
#define ERTOOLS_MANAGE_JOBPART_H

#include "manage/place.h"
#include "share/types.h"

enum {
    JOB_BYTES = 256, /* of the name of a job */
};

struct jobpart {
    char *name;
    u32 source; /* the founder that it lies in */
    bool is_rank;
    u32 rank;
    u32 world; /* how many ranks there are, as it says; 0 = it does not */
};

struct jobparts {
    const struct place *source;
    u32 sources;
    struct jobpart *part; /* sorted by name when all have been added */
    u32 count;
    u32 room;
    char job[JOB_BYTES]; /* "" = not known */
    u32 of; /* the founder that said so */
};

/* Add what lies in one founder. 0, or 1: told, and they cannot be gathered. */
int jobparts_add(struct jobparts *parts, u32 source);

/* Whether all parts are of one job, and none is there twice; else told. */
bool jobparts_fit(struct jobparts *parts);

/* Tell which ranks are missing, if it is known how many there are. */
void jobparts_missing(const struct jobparts *parts);

void jobparts_free(struct jobparts *parts);

#endif
