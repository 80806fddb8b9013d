/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of er_cp and er_mv: takes sources and a destination from the command
 * line. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_CARRY_H
#define ERTOOLS_MANAGE_CARRY_H

#include "manage/place.h"

/*
 * Copy or move an experiment to a name that is not in use in a directory. 0 or -errno.
 */
typedef int carry_experiment(const struct place *from, int parent, const char *name);

struct carry {
    carry_experiment *experiment;
    bool moves; /* er_mv: the source no longer exists afterwards */
    bool force; /* carry also experiments that are still being written */
};

/*
 * Carry all words but the last to the last one. Returns an enum tool_status, after
 * messages about errors.
 */
int carry_all(const struct carry *carry, int count, char **words);

#endif
