/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are truncated while they are mapped, as a run's files are when it ends:
 * the missing part reads as zeros, which in each of these files means "not written".
 * Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_SHRUNK_H
#define ERTOOLS_PRINT_LOAD_SHRUNK_H

/* Once, in main(): survive SIGBUS for a mapped page that was cut off its file. */
void shrunk_start(void);

#endif
