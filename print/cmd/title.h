/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of what the rows of tables are about: locks, MPI's communicators and functions,
 * processes and threads. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_TITLE_H
#define ERTOOLS_PRINT_CMD_TITLE_H

#include "print/cmd/shell.h"

enum {
    TITLE_MAX = 96, /* bytes of a name of MPI; longer ones are cut */
};

/*
 * Get the name of a lock, as lockname_get() does: its variable if it is known, else its
 * address, "0x55d0c0de", etc. The table owns the text. kind, addr: as in struct lock.
 */
const char *title_lock(struct shell *sh, struct table *t, u32 experiment, u32 kind,
                       u64 addr);

/* Write the name of a communicator or of a function of MPI into buf, and return buf. */
const char *title_comm(const struct session *session, u64 number, char buf[TITLE_MAX]);
const char *title_mpi_call(u64 call, char buf[TITLE_MAX]);

/*
 * The three functions below write names in parentheses after a number, as in
 * "thread 3 (logd: worker)". If no name is known, they write nothing.
 */

/*
 * Write the program of an experiment (counted from 1), and the name of `thread` (an id,
 * 0 = all) if the thread has a name of its own.
 */
void title_thread(const struct shell *sh, int64_t experiment, int64_t thread, FILE *f);

/* Write the names of the programs that a process has run, one after the other. */
void title_process(const struct shell *sh, int64_t pid, FILE *f);

/*
 * Write the name for the values `one` and `two` of the expressions `first` and
 * `second`: EXPID and THRID, EXPID alone, or PID. second: may be NULL.
 */
void title_put(const struct shell *sh, const char *first, int64_t one,
               const char *second, int64_t two, FILE *f);

#endif
