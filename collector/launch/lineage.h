/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which descendants are recorded (-F, and ranks of MPI programs), and the names of
 * their experiments, which say how each came to be. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_LINEAGE_H
#define ERTOOLS_LAUNCH_LINEAGE_H

#include <sys/types.h>

#include "collector/session/session.h"
#include "share/ctl.h"

struct lineage;

/* founder must live longer. NULL: no memory. */
struct lineage *lineage_start(const struct recording *founder);

/*
 * Is this process to be recorded? -F may decide by the name of its program, or of the
 * script that the program runs.
 */
int lineage_wants(const struct lineage *l, const struct ctl_request *request,
                  pid_t pid);

/* Make the name of a descendant's experiment, which counts as used. 0, or -ENOMEM. */
int lineage_name(struct lineage *l, const struct ctl_request *request,
                 char name[ER_NAME_BYTES]);

void lineage_free(struct lineage *l);

#endif
