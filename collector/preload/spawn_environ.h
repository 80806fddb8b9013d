/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A replacement for environ while libc itself creates a child (popen, system): it
 * contains our variables for the child. Other threads may read it at any time, even
 * after it was removed. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_SPAWN_ENVIRON_H
#define ERTOOLS_COLLECTOR_PRELOAD_SPAWN_ENVIRON_H

/*
 * Install the replacement; first wait until no other thread has one installed. 1:
 * spawn_environ_restore() must follow. 0: nothing was installed, and it must not: the
 * child needs no variables, there is no memory, or this thread has installed one.
 */
int spawn_environ_install(void);

void spawn_environ_restore(void);

/* Call in a forked child: the parent may have forked while it was installed. */
void spawn_environ_fork_child(void);

#endif
