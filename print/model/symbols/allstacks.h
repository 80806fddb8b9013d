/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All stacks of the experiments, including those on which no event passes the filter.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_ALLSTACKS_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_ALLSTACKS_H

#include "print/model/session.h"

/* Expand each stack, so that its frames and their functions exist. 0 or -ENOMEM. */
int allstacks_expand(struct session *session);

/*
 * Set met[function] to 1 for all functions on stacks of an experiment. Call this after
 * allstacks_expand().
 */
void allstacks_functions(struct session *session, u32 experiment, unsigned char *met);

#endif
