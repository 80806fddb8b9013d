/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose calls are to be recorded (-T). Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_CALLS_H
#define ERTOOLS_LAUNCH_CALLS_H

/*
 * Add what a -T asks for to *rows, a text with a row a line, allocated (NULL at first).
 * NULL; or what the option wants, a phrase that lives until the next call.
 */
const char *calls_add(char **rows, const char *value);

/* Add it to *asked, words with blanks between them, cut where they are many. */
int calls_note(const char **asked, const char *value);

/* Leave the rows in the experiment, for the target and its descendants. 0 or -errno. */
int calls_write(int dir, const char *rows);

#endif
