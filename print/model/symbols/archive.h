/* SPDX-License-Identifier: Apache-2.0 */
/* Making archives that are missing, by er_archive. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_ARCHIVE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_ARCHIVE_H

#include <stdbool.h>

#include "print/model/session.h"

/*
 * The archive of an object, by its key, is in no experiment and no cache: run
 * er_archive, which lives beside this program, on those experiments of the session
 * whose index says nothing of the object; on each experiment only once. true when
 * er_archive ran, so that the archive may be there now.
 */
bool archive_make(struct session *session, const char *key);

/* The first experiment whose process had the object; NULL if none. */
struct experiment *archive_holder(struct session *session, const char *key);

/*
 * What the experiment's index warns of; "" if of nothing, NULL if it has no row of the
 * object. Lives as long as the experiment.
 */
const char *archive_warning(struct experiment *experiment, const char *key);

#endif
