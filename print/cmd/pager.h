/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the program that shows long output page by page: ER_PAGER, or PAGER, or else
 * less. While it runs, standard error also goes to it, if that is a terminal; and it
 * handles signals from the keyboard. Ordinary process context, one at a time.
 */
#ifndef ERTOOLS_PRINT_CMD_PAGER_H
#define ERTOOLS_PRINT_CMD_PAGER_H

#include <stdbool.h>
#include <stddef.h>

struct pager;

/*
 * Start the pager. mortal: after an interrupt, this program ends when the pager has
 * ended. 0; -ENOENT: there is no pager, or the user wants none; or another -errno.
 */
int pager_start(struct pager **pager, bool mortal);

/* Write all of the text; 0, or -EPIPE if the pager has ended. */
int pager_write(struct pager *p, const char *text, size_t size);

/* Wait until the pager has ended, and free it. */
void pager_end(struct pager *p);

#endif
