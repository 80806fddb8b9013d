/* SPDX-License-Identifier: Apache-2.0 */
/* Targets that are Java programs: FILE.class, FILE.jar, and java itself (-j, -J). */
#ifndef ERTOOLS_LAUNCH_JAVATARGET_H
#define ERTOOLS_LAUNCH_JAVATARGET_H

#include "collector/launch/request.h"

/*
 * Make of the target what is to be executed: for a class or an archive of classes the
 * machine's command, with the arguments of -J behind its name. 0, or an exit status
 * after a sentence.
 */
int javatarget_set(struct request *request);

#endif
