/* SPDX-License-Identifier: Apache-2.0 */
/* Targets that are Java programs: FILE.class, FILE.jar, and java itself (-j, -J). */
#ifndef ERTOOLS_LAUNCH_JAVATARGET_H
#define ERTOOLS_LAUNCH_JAVATARGET_H

#include "collector/session/request.h"

/*
 * Set the target to what is to be executed: for a class or an archive of classes, the
 * Java machine's command, with the arguments of -J after its name. 0, or an exit status
 * after a message.
 */
int javatarget_set(struct request *request);

#endif
