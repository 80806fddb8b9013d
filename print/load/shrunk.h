/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For files that may be truncated while they are mapped, as a run's files are when the
 * run ends: the part that is missing reads as zeros. In each of these files, zeros mean
 * "not written". Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_SHRUNK_H
#define ERTOOLS_PRINT_LOAD_SHRUNK_H

/* Once, in main(): survive SIGBUS for a mapped page that was cut off its file. */
void shrunk_start(void);

#endif
