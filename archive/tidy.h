/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes what a killed run has left in its experiment besides records: the control
 * page, spare files for descendants, reserved space. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_TIDY_H
#define ERTOOLS_ARCHIVE_TIDY_H

#include <stdbool.h>

/*
 * Clean up the experiment in the directory `dir` and, with `subs`, its sub-experiments,
 * unless a process still writes there or the file system cannot tell. Records stay as
 * they are. What cannot be removed stays.
 */
void tidy(int dir, bool subs);

#endif
