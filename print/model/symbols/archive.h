/* SPDX-License-Identifier: Apache-2.0 */
/* Runs er_archive for archives that are missing. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_ARCHIVE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_ARCHIVE_H

#include <stdbool.h>

#include "print/model/session.h"

/*
 * No experiment and no cache has an archive for the object with that key. Run
 * er_archive, which is installed beside this program, on those experiments of the
 * session whose index does not list the object; but only once on each experiment.
 * Returns true if er_archive ran, so that the archive may exist now.
 */
bool archive_make(struct session *session, const char *key);

/* The first experiment whose process had the object; NULL if none. */
struct experiment *archive_holder(struct session *session, const char *key);

/*
 * The warning that the experiment's index has for the object: "" if there is none, NULL
 * if the index does not list the object. Lives as long as the experiment.
 */
const char *archive_warning(struct experiment *experiment, const char *key);

#endif
