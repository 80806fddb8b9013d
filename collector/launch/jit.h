/* SPDX-License-Identifier: Apache-2.0 */
/* -j jit: runtimes are asked to say what code they make. Normal context. */
#ifndef ERTOOLS_LAUNCH_JIT_H
#define ERTOOLS_LAUNCH_JIT_H

/*
 * Put into the environment what has node, Python from 3.12 on and Erlang's BEAM write
 * /tmp/perf-PID.map; what the user has put into the same variables stays. 0 or -ENOMEM.
 */
int jit_environment(void);

#endif
