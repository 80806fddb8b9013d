/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of samples where the kernel permits no perf events: threads that are
 * running are stopped by ptrace for a moment, one by one. Normal context of a helper.
 *
 * A thread is traced only while it is sampled, some 50 us. So the target can be traced
 * by others, its signals and waits are as ever, and an exec that changes rights happens
 * untraced.
 */
#ifndef ERTOOLS_OUTSIDE_HALT_H
#define ERTOOLS_OUTSIDE_HALT_H

#include "collector/outside/ring.h"

struct session;

/* 0 if this user may trace processes of their own, else -errno. */
int halt_try(void);

/*
 * 0; -EBUSY: somebody traces the process, and so it is left alone; -EPERM: Yama forbids
 * it to this user. ours: it is the launcher's child, and permits it.
 */
int halt_check(pid_t pid, int ours);

/* As helper_run(); there are no rings. */
_Noreturn void halt_run(struct session *s, struct rings *rings, int ready, int stop);

#endif
