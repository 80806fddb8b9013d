/* SPDX-License-Identifier: Apache-2.0 */
/* -j jit: ask runtimes to report the code that they make. Normal context. */
#ifndef ERTOOLS_LAUNCH_JIT_H
#define ERTOOLS_LAUNCH_JIT_H

/*
 * Set the environment variables that have node, Python from 3.12 on and Erlang's BEAM
 * write /tmp/perf-PID.map. Keeps what the user has set in them. 0 or -ENOMEM.
 */
int jit_environment(void);

#endif
