/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings scc, dcc and cc: classes of compiler commentary, and how source and
 * instructions are shown. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_COMMENTARY_H
#define ERTOOLS_PRINT_CMD_COMMENTARY_H

#include "print/cmd/shell.h"

/*
 * Set a colon-separated list, for source, for instructions or for both. If a word of it
 * is unknown, nothing changes. As a command: 0 or 1.
 */
int commentary_set(struct shell *sh, const char *list, bool source, bool disasm);

#endif
