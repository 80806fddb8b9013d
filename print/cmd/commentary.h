/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands scc, dcc and cc: they set which classes of compiler commentary are
 * shown, and how source and instructions are. Ordinary process context.
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
