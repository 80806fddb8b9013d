/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting a program in two steps: a child that waits, and its exec. Normal context of
 * the launcher, with signals taken (signals.h).
 */
#ifndef ERTOOLS_LAUNCH_SPAWN_H
#define ERTOOLS_LAUNCH_SPAWN_H

#include <sys/types.h>

struct spawn {
    pid_t pid;
    pid_t tracer; /* who may trace it, beside its ancestors; 0 = nobody */
    int go;     /* pipe to the child: has it exec; if closed first, the child exits */
    int result; /* pipe from the child: its errno if exec failed, else end of file */
    int stops;  /* spawn_stop() was called */
    struct order *order; /* set by spawn_beside(); else NULL */
};

/*
 * Fork a child that waits for spawn_go(). path is executed with argv and env; with
 * shell set, /bin/sh runs what the kernel does not know (ENOEXEC), as execvp(3) does.
 * Returns 0 or -errno.
 */
int spawn_wait(struct spawn *s, const char *path, char **argv, char **env, int shell);

/*
 * As spawn_wait(), the other way round: this process will exec, and the caller
 * continues in a new process, which is not a child of it and has a session of its own.
 * Call before signals are taken. Returns in the new process, 0 or -errno; s->pid is the
 * process that has called.
 */
int spawn_beside(struct spawn *s);

/*
 * Set what the process that called spawn_beside() is to execute: see spawn_wait(). 0 or
 * -errno.
 */
int spawn_order(struct spawn *s, const char *path, char **argv, char **env, int shell);

/*
 * Let the child exec. Returns 0 if the exec succeeded, or its -errno: then the child is
 * reaped.
 */
int spawn_go(struct spawn *s);

/*
 * Call before spawn_go(): have the child stop when it has become its program, until
 * somebody sends it SIGCONT or attaches to it. 0, or -errno with nothing changed.
 */
int spawn_stop(struct spawn *s);

/* Give up: the child ends without exec and is reaped. */
void spawn_cancel(struct spawn *s);

#endif
