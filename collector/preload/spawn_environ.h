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
 * spawn_environ_restore() must follow. 0: nothing was installed, and
 * spawn_environ_restore() must not follow: the child needs no variables, there is no
 * memory, or this thread has one installed already.
 */
int spawn_environ_install(void);

/* Remove the replacement, or our variables if the target has changed environ. */
void spawn_environ_restore(void);

/*
 * In a forked child, remove the replacement: the parent may have forked while it was
 * installed.
 */
void spawn_environ_fork_child(void);

#endif
