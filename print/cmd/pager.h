/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that shows long output page by page: from ER_PAGER, or PAGER, else less.
 * While it runs, standard error goes to it, too, if that is a terminal, and signals
 * from the keyboard are left to it. Ordinary process context, one at a time.
 */
#ifndef ERTOOLS_PRINT_CMD_PAGER_H
#define ERTOOLS_PRINT_CMD_PAGER_H

#include <stdbool.h>
#include <stddef.h>

struct pager;

/*
 * mortal: after an interrupt, this program ends when the pager has ended. 0, -ENOENT
 * when there is no pager, or another -errno.
 */
int pager_start(struct pager **pager, bool mortal);

/* All of it, or -errno; -EPIPE when the pager has ended. */
int pager_write(struct pager *p, const char *text, size_t size);

/* Wait until it has ended; frees it. */
void pager_end(struct pager *p);

#endif
