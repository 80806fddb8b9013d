/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs code that stops threads of the target in a separate process, which shares all
 * memory with this one. If collect is killed in the meantime, that process still
 * restores these threads. Normal context of the launcher.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_APART_H
#define ERTOOLS_COLLECTOR_ATTACH_APART_H

/*
 * Call what(arg) in such a process, and return its result. In the meantime, signals to
 * this process are blocked. If no process can be made, call it in this one.
 */
int apart(int (*what)(void *arg), void *arg);

#endif
