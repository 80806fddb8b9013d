/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose calls are to be recorded (-T). Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_CALLS_H
#define ERTOOLS_LAUNCH_CALLS_H

/*
 * Add the functions of one -T to *rows, a malloc'd text with one row per line (NULL at
 * first). Returns NULL, or what the value should be: a phrase that is valid until the
 * next call.
 */
const char *calls_add(char **rows, const char *value);

/*
 * Append value to *asked, a list of words separated by blanks; does nothing if the list
 * is long already. 0 or -ENOMEM.
 */
int calls_append(const char **asked, const char *value);

/* Write the rows into the experiment, where the target reads them. 0 or -errno. */
int calls_write(int dir, const char *rows);

#endif
