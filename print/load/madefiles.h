/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of code made at run time, for an experiment. Only for print/load. */
#ifndef ERTOOLS_PRINT_LOAD_MADEFILES_H
#define ERTOOLS_PRINT_LOAD_MADEFILES_H

#include "print/load/experiment.h"

/*
 * Read the experiment's own file and, for a forked child, its creators' files up to the
 * fork, since the child has inherited their code. Then resolve stack nodes in made
 * code. Damage is reported in problems. 0 or -ENOMEM.
 */
int madefiles_read(struct experiment *experiment);
void madefiles_close(struct experiment *experiment);

#endif
