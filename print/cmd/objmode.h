/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets how load objects are shown, for object_show and similar commands. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_CMD_OBJMODE_H
#define ERTOOLS_PRINT_CMD_OBJMODE_H

#include "print/cmd/shell.h"
#include "print/model/symbols/function.h"

/*
 * Set the mode of the objects in a list (names or paths separated by commas, or `all`).
 * Unless `others` is negative, it becomes the mode of all other objects. Returns 0 or
 * 1.
 */
int objmode_set(struct shell *sh, const char *list, enum object_mode mode, int others);

#endif
