/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands sample_select, thread_select etc. Ordinary process context.
 *
 *   LIST = all | PART [+ PART]...    PART = [NUMBERS :] NUMBERS
 *   NUMBERS = N | N-M | all [, ...]  numbers before the colon are those of experiments
 */
#ifndef ERTOOLS_PRINT_CMD_SELECT_H
#define ERTOOLS_PRINT_CMD_SELECT_H

#include "print/cmd/shell.h"

/* Count only events whose `token` is in the list. Returns 0 or 1. */
int select_set(struct shell *sh, enum filter_part part, const char *token,
               const char *list);

/*
 * Make a filter expression of the list, for the caller to free; NULL, with *at where
 * the list is wrong.
 */
char *select_expression(const char *token, const char *list, const char **at);

#endif
