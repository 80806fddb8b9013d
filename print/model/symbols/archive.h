/* SPDX-License-Identifier: Apache-2.0 */
/* Runs er_archive for archives that are missing. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_ARCHIVE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_ARCHIVE_H

#include <stdbool.h>

#include "print/model/session.h"

/* The founders for which er_archive was run. All 0: none yet. */
struct archive_runs {
    char **path;
    u32 count;
};

void archive_forget(struct archive_runs *runs);

/*
 * Make archives if none was found for the object with that key: run er_archive, which
 * is installed beside this program. It runs on the founder of each experiment that had
 * the object and whose index does not list it, once: `runs` keeps the founders on which
 * it ran. Returns true if er_archive ran, so that the archive may exist now.
 */
bool archive_make(struct session *session, struct archive_runs *runs, const char *key);

/* The first experiment whose process had the object with that key; NULL = none. */
struct experiment *archive_holder(struct session *session, const char *key);

/*
 * The warning that the experiment's index has for the object: "" if there is none, NULL
 * if the index does not list the object. Lives as long as the experiment.
 */
const char *archive_warning(struct experiment *experiment, const char *key);

#endif
