/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What er_cp and er_mv have in common: sources, and where they go. Ordinary process
 * context; for main().
 */
#ifndef ERTOOLS_MANAGE_CARRY_H
#define ERTOOLS_MANAGE_CARRY_H

#include "manage/place.h"

/*
 * Bring an experiment to a name in a directory; the name is not taken. 0 or -errno.
 */
typedef int carry_experiment(const struct place *from, int parent, const char *name);

struct carry {
    carry_experiment *experiment;
    bool moves; /* what was brought is no longer where it was */
    bool force; /* also experiments that are still being written */
};

/* Carry all words but the last to the last. Returns an enum tool_status; told. */
int carry_all(const struct carry *carry, int count, char **words);

#endif
