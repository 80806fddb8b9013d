/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines, by the rows of options.def. Ordinary process context; for main().
 */
#ifndef ERTOOLS_MANAGE_OPTIONS_H
#define ERTOOLS_MANAGE_OPTIONS_H

enum tool_status {
    TOOL_DONE = 0,
    TOOL_FAILED = 1, /* of some, or all, of what was named */
    TOOL_USAGE = 2,  /* nothing was done */
};

/* Takes an option; value is NULL for one without. May die with TOOL_USAGE. */
typedef void options_take(void *context, int letter, const char *value);

/*
 * Read the options of `program` and start err.h with its name. Words that are none are
 * moved to the end of argv, and the index of the first is returned. --help and -V end
 * the program; so does, with a sentence, what is no option.
 */
int options_read(const char *program, int argc, char **argv, options_take *take,
                 void *context);

#endif
