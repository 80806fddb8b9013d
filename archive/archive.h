/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives one experiment: makes an object file in archives/ for each load object in
 * the experiment's maps, as far as the object is still there. Ordinary process context;
 * one experiment at a time.
 */
#ifndef ERTOOLS_ARCHIVE_ARCHIVE_H
#define ERTOOLS_ARCHIVE_ARCHIVE_H

#include "archive/archiving.h"

/*
 * Archives the experiment in the directory `name`. Returns the number of objects with a
 * warning. -EINVAL: it is not an experiment; -EROFS: an object's description could not
 * be written anywhere; -ENOMEM; or another -errno: the experiment cannot be read.
 * Errors are also passed to notify().
 */
int archive_experiment(const char *name, const struct archive_options *options);

#endif
