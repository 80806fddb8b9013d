/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes names behind the numbers of processes and threads: " (make)", " (logd:
 * worker)". If no name is known, it writes nothing. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_NUMBERNAME_H
#define ERTOOLS_PRINT_CMD_NUMBERNAME_H

#include "print/cmd/shell.h"

/* Write the name of a thread (0 = all) of an experiment (counted from 1). */
void numbername_thread(const struct shell *sh, int64_t experiment, int64_t thread,
                       FILE *f);

/* Write the names of the programs that a process has run, one after the other. */
void numbername_process(const struct shell *sh, int64_t pid, FILE *f);

/*
 * Write a name, by the expressions whose values the numbers are: EXPID and THRID,
 * EXPID, or PID.
 */
void numbername_put(const struct shell *sh, const char *first, int64_t one,
                    const char *second, int64_t two, FILE *f);

#endif
