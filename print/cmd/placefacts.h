/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows blocks of facts about lines and program counters, for lsummary and psummary.
 * Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_PLACEFACTS_H
#define ERTOOLS_PRINT_CMD_PLACEFACTS_H

#include "print/cmd/list.h"

typedef int placefacts_view(struct session *session, const struct order *order,
                            struct rows *out);

/*
 * Show a block of facts for each row of the view (view_lines or view_pcs); its heading
 * is the line or, with `pcs`, the program counter. 0, or 1 after a message.
 */
int placefacts_show(struct shell *sh, const char *command, const char *title,
                    placefacts_view *view, bool pcs);

#endif
