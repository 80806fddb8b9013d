/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which descendants are recorded (-F, and ranks of MPI programs), and the names of
 * their experiments, which say how each came to be. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_LINEAGE_H
#define ERTOOLS_LAUNCH_LINEAGE_H

#include <sys/types.h>

#include "collector/launch/session.h"
#include "share/ctl.h"

struct lineage;

/* founder lives longer. NULL: no memory. */
struct lineage *lineage_start(const struct session *founder);

/* Is it recorded? By the name of its program, or of the script that this runs. */
int lineage_wants(const struct lineage *l, const struct ctl_request *request,
                  pid_t pid);

/* The next name, to be used; or -ENOMEM. */
int lineage_name(struct lineage *l, const struct ctl_request *request,
                 char name[ER_NAME_BYTES]);

void lineage_free(struct lineage *l);

#endif
