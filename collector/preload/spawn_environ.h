/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A replacement for environ while libc itself creates a child (popen, system): it
 * contains our variables for the child. Other threads may read it at any time, even
 * after it was removed. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_SPAWN_ENVIRON_H
#define ERTOOLS_COLLECTOR_PRELOAD_SPAWN_ENVIRON_H

/*
 * Install the replacement; if another thread has installed it, wait. 1 =
 * spawn_environ_restore() must follow.
 */
int spawn_environ_install(void);

void spawn_environ_restore(void);

/* Call in a forked child: its parent may have forked between the two calls. */
void spawn_environ_fork_child(void);

#endif
