/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines, by the rows of options.def. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_OPTIONS_H
#define ERTOOLS_MANAGE_OPTIONS_H

#include "share/tool.h"

enum tool_status {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* of some, or all, of what was named */
    TOOL_USAGE = 2,  /* nothing was done */
};

/* As tool_read(), of one of the programs with rows there. May die with TOOL_USAGE. */
int options_read(const char *program, int argc, char **argv, tool_take *take,
                 void *context);

#endif
