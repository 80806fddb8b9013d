/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of samples if the kernel permits no perf events: threads that are running
 * are stopped by ptrace for a moment, one by one. Normal context of a helper.
 *
 * A thread is traced only while it is sampled, some 50 us. So others can trace the
 * target, its signals and its wait() calls behave as without sampling, and exec of a
 * setuid program happens untraced.
 */
#ifndef ERTOOLS_OUTSIDE_HALT_H
#define ERTOOLS_OUTSIDE_HALT_H

#include "collector/outside/ring.h"

struct recording;

/* 0 if this user may trace their own processes, else -errno. */
int halt_try(void);

/*
 * May this process be sampled? 0; -EBUSY: another process traces it; -EPERM: Yama
 * forbids it to this user; -ESRCH: it has ended. ours: it is the launcher's child,
 * which permits tracing.
 */
int halt_check(pid_t pid, int ours);

/* As helper_run(); there are no rings. */
_Noreturn void halt_run(struct recording *s, struct rings *rings, int ready, int stop);

#endif
