/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings that are read from files before the first command: the system's er.rc,
 * ~/.er.rc, ./.er.rc; later files override earlier ones. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_RCFILE_H
#define ERTOOLS_PRINT_CMD_RCFILE_H

#include "print/cmd/shell.h"

/*
 * Read those files that exist. An error in them is reported, but does not count as a
 * failed command. A file that another user could have written is not read, and that is
 * reported.
 */
void rcfile_read_all(struct shell *sh);

#endif
