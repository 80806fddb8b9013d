/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose calls are to be recorded (-T). Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_CALLS_H
#define ERTOOLS_LAUNCH_CALLS_H

/*
 * Add what a -T asks for to *rows, a text with a row a line, allocated (NULL at first).
 * NULL; or what the option wants, a phrase that lives until the next call.
 */
const char *calls_add(char **rows, const char *value);

/* Append value to *asked, a list of words with blanks, cut off when it gets long. */
int calls_note(const char **asked, const char *value);

/* Write the rows into the experiment, where the target reads them. 0 or -errno. */
int calls_write(int dir, const char *rows);

#endif
