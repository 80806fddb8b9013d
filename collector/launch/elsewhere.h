/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where addresses are not randomized (setarch -R, a debugger), the launcher's own
 * mappings are where the target's are, and stacks of the target cannot be mapped at
 * their addresses. So the launcher executes itself again with random addresses; the
 * target still gets none. Normal context of the launcher, one thread.
 */
#ifndef ERTOOLS_LAUNCH_ELSEWHERE_H
#define ERTOOLS_LAUNCH_ELSEWHERE_H

/*
 * Call before anything is done for the target. Executes the launcher again if that is
 * needed and possible. Returns in the new image, or where no exec was done, with the
 * environment unchanged.
 */
void elsewhere_start(char **argv);

/* In a child that is about to execute the target: disable randomization again. */
void elsewhere_restore(void);

#endif
