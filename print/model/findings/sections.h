/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a summary. Each function adds its findings, or none if it has no data. 0
 * or -errno. Further functions tell what data the session has. For the code in
 * print/model/findings alone.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_SECTIONS_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_SECTIONS_H

#include "print/model/findings/finding.h"
#include "print/model/session.h"

int sections_runs(struct session *session, struct findings *f);
int sections_time(struct session *session, struct findings *f);
int sections_functions(struct session *session, struct findings *f);
int sections_locks(struct session *session, struct findings *f);
int sections_files(struct session *session, struct findings *f);
int sections_calls(struct session *session, struct findings *f);
int sections_heap(struct session *session, struct findings *f);
int sections_java(struct session *session, struct findings *f);
int sections_mpi(struct session *session, struct findings *f);
int sections_regions(struct session *session, struct findings *f);
int sections_cost(struct session *session, struct findings *f);
int sections_missing(struct session *session, struct findings *f);

/*
 * sections_has(): did the user ask for data of a file, or has the experiment any? Of
 * FILE_profile, only clock hits count. sections_any(): is that so in any experiment?
 */
bool sections_has(struct experiment *experiment, enum er_file file);
bool sections_any(const struct session *session, enum er_file file);

/* Does some experiment have the time in which threads did not run? */
bool sections_wall(const struct session *session);

/*
 * sections_outside(): why an experiment was sampled from outside, or NULL if it was
 * not. sections_all_outside(): were all experiments sampled from outside, so that only
 * CPU time was recorded?
 */
const char *sections_outside(const struct experiment *experiment);
bool sections_all_outside(const struct session *session);

#endif
