/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings scc, dcc and cc: classes of compiler commentary, and how source and
 * instructions are shown. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_COMMENTARY_H
#define ERTOOLS_PRINT_CMD_COMMENTARY_H

#include "print/cmd/shell.h"

/*
 * Apply a list, separated by colons, to source, to instructions, or to both. If a word
 * is unknown, nothing changes. 0, or 1 after a message.
 */
int commentary_set(struct shell *sh, const char *list, bool source, bool disasm);

#endif
