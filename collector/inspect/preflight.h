/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can the collector be loaded into the target? Looks at files only. Normal context of
 * the launcher.
 */
#ifndef ERTOOLS_INSPECT_PREFLIGHT_H
#define ERTOOLS_INSPECT_PREFLIGHT_H

#include <limits.h>

#include "share/image.h"

struct preflight {
    enum image_kind kind;   /* of `program`; neither IMAGE_SCRIPT nor IMAGE_TEXT */
    int shell;              /* one file was a text without #!, which /bin/sh runs */
    int scripts;            /* how many #! were followed */
    char program[PATH_MAX]; /* what really runs: the file, or its interpreter */
};

/*
 * Look at the file path, following #! as the kernel does. kind is IMAGE_UNREAD if too
 * many scripts follow one another.
 */
void preflight_read(const char *path, struct preflight *result);

#endif
