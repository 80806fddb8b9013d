/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that become shorter while they are mapped, as those of a run do when it ends:
 * what is gone reads as zeros, which in each of them means "not written". Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_SHRUNK_H
#define ERTOOLS_PRINT_LOAD_SHRUNK_H

/* Once, in main(): SIGBUS for a mapped page that its file no longer has is no end. */
void shrunk_start(void);

#endif
