/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of settings, read before the first command: er.rc of the system, ~/.er.rc,
 * ./.er.rc; later ones win. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_RCFILE_H
#define ERTOOLS_PRINT_CMD_RCFILE_H

#include "print/cmd/shell.h"

/*
 * Read those that are there. Mistakes in them are told but do not count as a failed
 * command. A file that somebody else could have written is told and not read.
 */
void rcfile_read_all(struct shell *sh);

#endif
