/* SPDX-License-Identifier: Apache-2.0 */
/* Tries what can be recorded on this machine. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_MACHINE_H
#define ERTOOLS_LAUNCH_MACHINE_H

/*
 * Print what can be recorded on standard output, and the name that an experiment would
 * get here.
 */
void machine_print(void);

#endif
