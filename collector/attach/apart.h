/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run what stops threads of the target in a process of its own, which shares all memory
 * with this one. If collect is killed meanwhile, it still leaves these threads as they
 * were. Normal context of the launcher.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_APART_H
#define ERTOOLS_COLLECTOR_ATTACH_APART_H

/*
 * Call what(arg) there, and return its result. Signals of this process wait for that.
 * Without another process, it is called here.
 */
int apart(int (*what)(void *arg), void *arg);

#endif
