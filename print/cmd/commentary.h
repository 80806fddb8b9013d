/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What scc, dcc and cc ask for: classes of compilers' comments, and how source and
 * instructions are shown. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_COMMENTARY_H
#define ERTOOLS_PRINT_CMD_COMMENTARY_H

#include "print/cmd/shell.h"

/*
 * Take a colon-separated list, for source, for instructions or for both. Nothing has
 * changed when a word of it is unknown. As a command: 0 or 1.
 */
int commentary_set(struct shell *sh, const char *list, bool source, bool disasm);

#endif
