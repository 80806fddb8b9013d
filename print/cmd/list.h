/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the commands that print lists. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_LIST_H
#define ERTOOLS_PRINT_CMD_LIST_H

#include "print/cmd/mcols.h"
#include "print/cmd/shell.h"
#include "print/model/views/view.h"

/*
 * Get the order for a list, by the sort setting. Lists have no attributed values: sort
 * by inclusive values instead.
 */
struct order list_order(const struct shell *sh);

/* The sort setting for calls: by attributed values. */
struct order list_call_order(const struct shell *sh);

/* A table titled "WHAT, by ORDER". */
struct table *list_table(const char *command, const char *what,
                         const struct order *order);

/*
 * Write "demo.c:12" into buf, or "demo.c" if line is 0; "<libc.so.6>" if only the
 * object is known; else "". Returns buf.
 */
const char *list_place(const struct shell *sh, u32 object, u32 file, u32 line,
                       char *buf, size_t size);

/*
 * Write "beta + 0x2f" into buf, for a row of view_pcs(); "beta at 0x401123" for code
 * outside the function's first part.
 */
void list_pc(const struct shell *sh, const struct row *r, char *buf, size_t size);

/* Get a path's last part, which is within `path`. */
const char *list_base_name(const char *path);

#endif
