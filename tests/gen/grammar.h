/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random scripts for er_print, made from its own tables: commands.def, tokens.def,
 * metrics.def. A new row is in by itself. The same seed makes the same script.
 */
#ifndef ERTOOLS_TESTS_GRAMMAR_H
#define ERTOOLS_TESTS_GRAMMAR_H

#include "print/cmd/shell.h"

enum { GRAMMAR_LINE = 2000 }; /* bytes of a line at most, with its end */

struct grammar {
    u64 seed; /* of the next choice */
    struct session *session; /* whose functions and experiments are named */
    char line[GRAMMAR_LINE];
    size_t used;
};

/* A line of a script: a command with arguments that often suit it, or nearly one. */
const char *grammar_line(struct grammar *g);

/* A number below n. */
u32 grammar_below(struct grammar *g, u32 n);

#endif
