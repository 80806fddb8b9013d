/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The findings of a session: what ran, where time went, what was waited for, what is
 * missing. A finding has a sentence, the numbers in it, and a command that shows more.
 * Only events that pass the filter count. Ordinary process context, one thread.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_FINDINGS_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_FINDINGS_H

#include "print/model/findings/finding.h"
#include "print/model/session.h"

/*
 * finding_names: "run", "program", ... for programs; finding_titles: "Run", "Programs",
 * ... for people.
 */
extern const char *const finding_names[FINDING_KINDS];
extern const char *const finding_titles[FINDING_KINDS];

/*
 * Make the findings of a session. Names of functions are brief, whatever the session's
 * style. 0 and *out for findings_free(), or -errno.
 */
int findings_get(struct session *session, struct findings *out);
void findings_free(struct findings *findings);

#endif
