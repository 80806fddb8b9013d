/* SPDX-License-Identifier: Apache-2.0 */
/* Meeting all stacks of experiments, also without a look at events. */
#ifndef ERTOOLS_PRINT_MODEL_MEET_H
#define ERTOOLS_PRINT_MODEL_MEET_H

#include "print/model/session.h"

/* All stacks that events may have, with their frames and functions. 0 or -ENOMEM. */
int meet_stacks(struct session *session);

/* After that: set met[function] for those on stacks of an experiment. */
void meet_functions(struct session *session, u32 experiment, unsigned char *met);

#endif
