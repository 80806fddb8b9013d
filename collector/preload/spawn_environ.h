/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A replacement for environ while libc itself creates a child (popen, system): it
 * contains our variables for the child. Other threads may read it at any time, even
 * after it was removed. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_SPAWN_ENVIRON_H
#define ERTOOLS_COLLECTOR_PRELOAD_SPAWN_ENVIRON_H

/* Install it; one thread at a time. 1 = spawn_environ_restore() must follow. */
int spawn_environ_install(void);

void spawn_environ_restore(void);

/* In a forked child: its parent may have been between the two calls. */
void spawn_environ_fork_child(void);

#endif
