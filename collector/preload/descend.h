/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descendants: the environment that a process passes to the programs that it or its
 * children execute, and how these get experiments of their own. Normal context;
 * descend_environ() also in a vfork child.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_DESCEND_H
#define ERTOOLS_COLLECTOR_PRELOAD_DESCEND_H

#include "share/ctl.h"
#include "share/params.h"
#include "share/types.h"

/*
 * Read what the launcher or the creator has passed in envp. 0, or -errno: this process
 * is not to be recorded, or cannot pass anything on.
 */
int descend_start(char **envp, struct er_params *params);

/*
 * The same in a process to which collect attaches. preload: value of LD_PRELOAD for
 * programs that it executes; "" = do not record descendants.
 */
int descend_attach(const char *path, const struct er_params *asked,
                   const char *preload);

/*
 * The experiment of this process: the founder's, or a new one, which it requests from
 * the launcher on the founder's control page. 0 and *path, static; or -errno.
 */
int descend_join(const char **path);

/* In a child that was forked just now: the same. how: HOW_FORK or HOW_CLONE. */
int descend_join_child(enum er_how how, const char **path);

/* A program that cannot load the collector. */
struct descend_beyond {
    enum er_beyond beyond;
    enum er_how how;     /* HOW_EXEC: of this process; HOW_SPAWN: of a child */
    u32 image;           /* enum image_kind */
    u32 child;           /* BEYOND_SPAWNED: its pid */
    const char *program; /* its name */
};

/*
 * Ask the launcher to sample such a program from outside, or tell it that the exec has
 * failed. Also in a vfork child. 0 (BEYOND_SPAWNED does not wait for the answer); or
 * -errno: it will not be sampled.
 */
int descend_ask_beyond(const struct descend_beyond *b);

/* Is pid this process, as the launcher sees it? After a descend_join(). */
int descend_is(u32 pid);

/* Of a descendant: 1 while the launcher serves. */
int descend_launcher_is_there(void);

/* This process became what it is by an exec of one that was recorded. */
int descend_became(void);

/* Set the CPU time that the next exec passes on as used before it. */
void descend_leave(u64 user, u64 system);

/* Descendants are to be recorded. */
int descend_is_wanted(void);

/*
 * Stop recording descendants: the collector's calls might kill them (a seccomp filter).
 */
void descend_stop(void);

/* After an exec, could the libraries be read, and the experiment be written? */
int descend_reaches(void);

/*
 * The environment of an exec: a copy of envp with our variables in it, in room of
 * descend_bytes(envp) bytes; envp itself when nothing is handed down.
 */
int descend_hands_down(char *const envp[]);
size_t descend_bytes(char *const envp[]);
char *const *descend_environ(void *room, char *const envp[]);

/* The founder's experiment: its path, "" = none. */
extern char *descend_founder;

#endif
