/* SPDX-License-Identifier: Apache-2.0 */
/* What can be counted on this machine, tried. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_MACHINE_H
#define ERTOOLS_LAUNCH_MACHINE_H

/* Tell it on standard output, with the name that an experiment would get here. */
void machine_tell(void);

#endif
