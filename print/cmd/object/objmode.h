/* SPDX-License-Identifier: Apache-2.0 */
/* How load objects are shown: object_show and its like. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_OBJECT_OBJMODE_H
#define ERTOOLS_PRINT_CMD_OBJECT_OBJMODE_H

#include "print/cmd/shell.h"
#include "print/model/symbols/function.h"

/*
 * Give the objects of a list (names or paths with commas between them, or all) a mode,
 * and, unless it is negative, the others another one. Returns 0 or 1.
 */
int objmode_set(struct shell *sh, const char *list, enum object_mode mode, int others);

#endif
