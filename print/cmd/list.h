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
 * The sort setting for a list; attributed, which lists do not have, becomes inclusive.
 */
struct order list_order(const struct shell *sh);

/* The sort setting for calls: by attributed values. */
struct order list_call_order(const struct shell *sh);

/* A table titled "WHAT, by ORDER". */
struct table *list_table(const char *command, const char *what,
                         const struct order *order);

/* "demo.c:12" into buf; "<libc.so.6>" if only the object is known; "" if neither. */
const char *list_place(const struct shell *sh, u32 object, u32 file, u32 line,
                       char *buf, size_t size);

/*
 * "beta + 0x2f" into buf, of a row of view_pcs(); code outside the function's first
 * part by its address.
 */
void list_pc(const struct shell *sh, const struct row *r, char *buf, size_t size);

/* Of a path. */
const char *list_base_name(const char *path);

#endif
