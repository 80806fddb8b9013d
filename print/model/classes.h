/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java classes, numbered so that a class name has the same number in all experiments.
 * Ordinary process context; read when first asked for.
 */
#ifndef ERTOOLS_PRINT_MODEL_CLASSES_H
#define ERTOOLS_PRINT_MODEL_CLASSES_H

#include "print/model/numbers.h"

struct classes {
    struct numbers numbers;
    const char **name; /* number 1 has index 0; the experiments own the texts */
    u32 room;
};

/*
 * Get the map from an experiment's class ids to numbers; the session owns it. 0 or
 * -ENOMEM.
 */
int classes_map(struct session *session, u32 experiment, const struct number_map **out);

/* The name of the class with that number; NULL if there is none. */
const char *classes_name(const struct session *session, u64 number);

/* Forget all: experiments have changed. */
void classes_reset(struct session *session);

#endif
