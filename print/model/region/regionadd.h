/* SPDX-License-Identifier: Apache-2.0 */
/* What regions.c shares with regionsaid.c. For these two files alone. */
#ifndef ERTOOLS_PRINT_MODEL_REGION_REGIONADD_H
#define ERTOOLS_PRINT_MODEL_REGION_REGIONADD_H

#include "print/model/region/regionscan.h"

/* The experiment whose regions are being added to the tree. */
struct region_adding {
    struct regions *regions;
    struct region_scan scan;
    const struct experiment *experiment;
    u32 index;
    u32 *region; /* by id: index in regions->region; 0 = not known */
};

/* Add intervals, marks, numbers and texts. 0 or -ENOMEM. */
int regionadd_notices(struct region_adding *adding);

#endif
