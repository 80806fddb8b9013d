/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Java VM that ran before the collector was loaded (collect -P). All functions are
 * called by the agent's thread. What the VM must be asked for is done in a thread of
 * its own, since the VM may make its callers wait, even for ever if it is ending.
 */
#ifndef ERTOOLS_COLLECTOR_VM_JAVA_LATE_H
#define ERTOOLS_COLLECTOR_VM_JAVA_LATE_H

/* Recording begins; no thread is recorded yet. */
void java_late_start(void);

/*
 * on = 1: the process's threads are recorded: have the VM report its code. 0: undo
 * that; waits for the VM, at most some seconds.
 */
void java_late_ask(int on);

/* Call about once a second: try again if the VM was still starting. */
void java_late_look(void);

#endif
