/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of settings, read before the first command: er.rc of the system, ~/.er.rc,
 * ./.er.rc; later ones win. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_RCFILE_H
#define ERTOOLS_PRINT_CMD_RCFILE_H

#include "print/cmd/shell.h"

/*
 * Read those that exist. Errors in them are reported, but do not count as a failed
 * command. A file that another user could have written is reported and not read.
 */
void rcfile_read_all(struct shell *sh);

#endif
