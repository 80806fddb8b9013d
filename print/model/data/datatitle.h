/* SPDX-License-Identifier: Apache-2.0 */
/* The titles of data objects, which views show and filters ask for. For one thread. */
#ifndef ERTOOLS_PRINT_MODEL_DATA_DATATITLE_H
#define ERTOOLS_PRINT_MODEL_DATA_DATATITLE_H

#include <regex.h>

#include "print/model/data/datafind.h"

/*
 * A data object's title in the session's name style: "buffer", "Block of make
 * (a.c:12)", "<Stack>". The caller frees it. NULL = no memory.
 */
char *datatitle(struct session *session, const struct data_thing *thing);

/* Does the object's title match a pattern, in any name style? */
bool datatitle_fits(struct session *session, const struct data_thing *thing,
                    const regex_t *pattern);

/*
 * Get the result of datatitle_fits() for the memory that each stack allocated, by stack
 * node of the session: (*out)[2 * node] for its blocks, (*out)[2 * node + 1] for its
 * mappings. *count: elements of *out, which the caller frees. 0 or -ENOMEM.
 */
int datatitle_blocks(struct session *session, const regex_t *pattern,
                     unsigned char **out, u32 *count);

#endif
