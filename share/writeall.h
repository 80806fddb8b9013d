/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes all of something to a descriptor. Any normal context; in the target, only
 * where the collector's handlers cannot run (sig/guard.h).
 */
#ifndef ERTOOLS_SHARE_WRITEALL_H
#define ERTOOLS_SHARE_WRITEALL_H

#include <stddef.h>

/*
 * Write all of the bytes. 0; or -errno: then a part of them may have been written, as
 * when a limit or a full disk cuts a line of an XML file short. The next line follows
 * on the same line then, where readers find it.
 */
int writeall(int fd, const void *data, size_t size);

#endif
