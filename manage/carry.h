/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What er_cp and er_mv have in common: they carry the sources on the command line to a
 * destination. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_CARRY_H
#define ERTOOLS_MANAGE_CARRY_H

#include "manage/place.h"

/*
 * Copy or move an experiment into the directory `parent`, under `name`, which is not in
 * use. 0 or -errno.
 */
typedef int carry_experiment(const struct place *from, int parent, const char *name);

struct carry {
    carry_experiment *experiment;
    bool moves; /* er_mv: the source no longer exists afterwards */
    bool force; /* carry also experiments that are still being written */
};

/*
 * Carry the experiments and groups that all words but the last name to the last one.
 * Reports errors; returns an enum tool_status.
 */
int carry_all(const struct carry *carry, int count, char **words);

#endif
