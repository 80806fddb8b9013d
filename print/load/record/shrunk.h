/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the missing part of a file that was truncated while it is mapped read as zeros.
 * A run's files are truncated when the run ends; in each of them, zeros mean "not
 * written". Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_SHRUNK_H
#define ERTOOLS_PRINT_LOAD_RECORD_SHRUNK_H

/*
 * Handle SIGBUS for mapped pages that their file has no longer. Called once, in main().
 */
void shrunk_start(void);

#endif
