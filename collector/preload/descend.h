/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descendants: what a process hands down to the programs that it or its children
 * become, and how these get experiments of their own. Normal context; descend_environ()
 * also in a child that shares its parent's memory.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_DESCEND_H
#define ERTOOLS_COLLECTOR_PRELOAD_DESCEND_H

#include "share/ctl.h"
#include "share/params.h"
#include "share/types.h"

/*
 * Note what the launcher or a creator has handed down in envp. 0, or -errno: this
 * process was not meant, or cannot hand anything down.
 */
int descend_start(char **envp, struct er_params *params);

/*
 * In a process that runs already: the same. preload: what programs that it becomes, or
 * starts, are to load; "" = descendants are left alone.
 */
int descend_attach(const char *path, const struct er_params *asked,
                   const char *preload);

/*
 * The experiment of this process: the founder's or, asked of the launcher on the
 * founder's control page, a new one. 0 and *path, static; or -errno.
 */
int descend_join(const char **path);

/* In a child that was forked just now: the same. how: HOW_FORK or HOW_CLONE. */
int descend_join_child(enum er_how how, const char **path);

/* A program that cannot load the collector. */
struct descend_beyond {
    enum er_beyond beyond;
    enum er_how how;     /* HOW_EXEC: of this process; HOW_SPAWN: of a child */
    u32 image;           /* enum image_kind */
    u32 child;           /* BEYOND_SPAWNED: that one */
    const char *program; /* its name */
};

/*
 * Ask the launcher to sample one from outside, or report that it will not be. Also
 * in a child that shares its parent's memory. 0, of BEYOND_SPAWNED without an answer;
 * or -errno: nobody will.
 */
int descend_ask_beyond(const struct descend_beyond *b);

/* Is that this process's id as the launcher sees it? After a descend_join(). */
int descend_is(u32 pid);

/* Of a descendant: 1 while the launcher serves. */
int descend_launcher_is_there(void);

/* This process became what it is by an exec of one that was recorded. */
int descend_became(void);

/* CPU time that the next exec hands down as used before it. */
void descend_leave(u64 user, u64 system);

/* Descendants are to be recorded. */
int descend_is_wanted(void);

/* They are no more: what they do might end them. */
void descend_stop(void);

/* What an exec would have loaded can be read from here, and the experiment written. */
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
