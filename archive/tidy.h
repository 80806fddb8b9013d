/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run that was killed leaves in its experiment besides records: the control
 * page, files that waited for descendants, room for records to come. Ordinary process
 * context.
 */
#ifndef ERTOOLS_ARCHIVE_TIDY_H
#define ERTOOLS_ARCHIVE_TIDY_H

#include <stdbool.h>

/*
 * Take that away from the experiment in the directory and, with `subs`, from those in
 * it, unless somebody still writes, or the file system cannot tell. Records are left as
 * they are. What cannot be removed stays.
 */
void tidy(int dir, bool subs);

#endif
