/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector's variables in the environment: they are read once and then removed, so
 * that the target and its children see the environment that the user gave them.
 * Constructor.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ENVIRON_H
#define ERTOOLS_COLLECTOR_PRELOAD_ENVIRON_H

/*
 * The value of a variable in envp, or NULL. It points into envp's string. envp may be
 * NULL, as environ is after clearenv(). Not only for constructors.
 */
const char *environ_get(char *const envp[], const char *name);

/* Keep the process's envp, as constructors get it, before libc has set environ. */
void environ_start(char **envp);

/* As environ_get(), for the present environment, even before libc has set environ. */
const char *environ_value(const char *name);

/*
 * Remove our variables from envp, and our parts of LD_PRELOAD and ASAN_OPTIONS. The
 * process keeps envp.
 */
void environ_restore(char **envp);

#endif
