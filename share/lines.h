/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appends lines to the XML files. A limit, a full disk or a kill can cut a write short;
 * the next line then follows on the same line, where readers find it. Any normal
 * context; in the target, only where the collector's handlers cannot run (sig/guard.h).
 */
#ifndef ERTOOLS_SHARE_LINES_H
#define ERTOOLS_SHARE_LINES_H

#include <stddef.h>

/* Write all of the text, or as much as there is room for. 0 or -errno. */
int lines_put(int fd, const char *text, size_t len);

#endif
