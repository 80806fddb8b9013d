/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up the regions that programs have named. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_REGION_REGIONBUILD_H
#define ERTOOLS_PRINT_MODEL_REGION_REGIONBUILD_H

#include "print/model/lookup/regions.h"

/*
 * Build the tree from what passes the filter. 0 and *out for regions_free(), -ENOENT
 * (no program named any) or -ENOMEM.
 */
int regionbuild(struct session *session, struct regions *out);

#endif
