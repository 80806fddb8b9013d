/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the names of experiments. Normal context of the launcher. */
#ifndef ERTOOLS_SESSION_NAME_H
#define ERTOOLS_SESSION_NAME_H

#include "share/experiment.h"
#include "share/types.h"

enum {
    NAME_MAX_BYTES = 256, /* NAME_MAX, and a final zero */
};

/*
 * Split STEM.N.er. Returns 1 and sets *stem_len (without the dot) and *n, or 0 for a
 * name of another form, or with more than 18 digits.
 */
int name_numbered(const char *name, size_t *stem_len, u64 *n);

/*
 * The name that name_create() would take now: `wanted` (NULL = test.1.er) if that does
 * not exist; else its stem with a number one above the highest. NULL always takes the
 * latter. Returns 0 or -errno (-EEXIST: `wanted` has no number and exists).
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
