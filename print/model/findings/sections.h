/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a summary. Each adds its findings, or none if it has no data. 0 or
 * -errno. For this room's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_SECTIONS_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_SECTIONS_H

#include "print/model/findings/findings.h"

int sections_runs(struct session *session, struct findings *f);
int sections_time(struct session *session, struct findings *f);
int sections_functions(struct session *session, struct findings *f);
int sections_locks(struct session *session, struct findings *f);
int sections_files(struct session *session, struct findings *f);
int sections_calls(struct session *session, struct findings *f);
int sections_heap(struct session *session, struct findings *f);
int sections_mpi(struct session *session, struct findings *f);
int sections_regions(struct session *session, struct findings *f);
int sections_cost(struct session *session, struct findings *f);
int sections_missing(struct session *session, struct findings *f);

/* Whether data of that file were asked for or exist; FILE_profile: clock hits. */
bool sections_has(struct experiment *experiment, enum er_file file);
bool sections_any(const struct session *session, enum er_file file);

/* Whether some experiment has the time of threads that do not run. */
bool sections_wall(const struct session *session);

/*
 * The reason why an experiment was sampled from outside, or NULL. The second function:
 * were all of them? Then nothing but CPU time could be recorded.
 */
const char *sections_outside(const struct experiment *experiment);
bool sections_all_outside(const struct session *session);

#endif
