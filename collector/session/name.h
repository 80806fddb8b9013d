/* SPDX-License-Identifier: Apache-2.0 */
/* Which name an experiment gets. Normal context of the launcher. */
#ifndef ERTOOLS_SESSION_NAME_H
#define ERTOOLS_SESSION_NAME_H

#include "share/experiment.h"
#include "share/types.h"

enum {
    NAME_MAX_BYTES = 256, /* NAME_MAX and a terminator */
};

/*
 * Split STEM.N.er. Returns 1 and sets *stem_len (without the dot) and *n, or 0 for a
 * name of another form.
 */
int name_numbered(const char *name, size_t *stem_len, u64 *n);

/*
 * The name that name_create() would take now: wanted (NULL = test.N.er), or the next
 * free number of its stem. Returns 0 or -errno (-EEXIST).
 */
int name_choose(int directory, const char *wanted, char name[NAME_MAX_BYTES]);

/*
 * Make the experiment under the name that name_choose() returns; if somebody else takes
 * that name first, under the next one. Returns 0 or -errno (-EEXIST: wanted has no
 * number and exists).
 */
int name_create(int directory, const char *wanted, char name[NAME_MAX_BYTES],
                struct expdir *e);

#endif
