/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads command lines by the rows of options.def. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_OPTIONS_H
#define ERTOOLS_MANAGE_OPTIONS_H

#include "share/tool.h"

enum tool_status {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* some, or all, of what was named was not done */
    TOOL_USAGE = 2,  /* nothing was done */
};

/*
 * Like tool_read(), for a program that has rows in options.def. May end the program
 * with TOOL_USAGE.
 */
int options_read(const char *program, int argc, char **argv, tool_take *take,
                 void *context);

#endif
