/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of collect, from options.def. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_OPTIONS_H
#define ERTOOLS_LAUNCH_OPTIONS_H

#include "collector/session/request.h"

struct option_row {
    char letter;
    const char *argument; /* "" = none */
    const char *help;
    const char *man;
};

/* The table's rows. */
extern const struct option_row option_rows[];
extern const int option_count;

/*
 * Read `[options] [--] [target [argument...]]`; options end at the first word that is
 * not an option. Returns 0 and fills *request (defaults included), or an exit status
 * after having said what is wrong.
 */
int options_parse(int argc, char **argv, struct request *request);

/* The usage line and the list of options, on standard output. */
void options_help(void);

#endif
