/* SPDX-License-Identifier: Apache-2.0 */
/* The files about code made at run time that an experiment goes by. For load's use. */
#ifndef ERTOOLS_PRINT_LOAD_MADEFILES_H
#define ERTOOLS_PRINT_LOAD_MADEFILES_H

#include "print/load/experiment.h"

/*
 * Read the experiment's own and, of a forked child, which has all that its creator had
 * made before the fork, its creators'; find out what stack nodes mean by it. Damage is
 * told in problems. 0 or -ENOMEM.
 */
int madefiles_read(struct experiment *experiment);
void madefiles_close(struct experiment *experiment);

#endif
