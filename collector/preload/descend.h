/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descendants: the environment that this process passes to programs that it or its
 * children execute, and how descendants get experiments of their own. Normal context;
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
 * descend_start() in a process to which collect attaches. path: of its experiment.
 * preload: value of LD_PRELOAD for programs that it executes; "" = do not record
 * descendants. 0, or -EINVAL: path is too long.
 */
int descend_attach(const char *path, const struct er_params *asked,
                   const char *preload);

/*
 * Get the experiment of this process: the founder's, or a new one, which this process
 * requests from the launcher on the founder's control page. 0, with *path set to a
 * static string; or -errno.
 */
int descend_join(const char **path);

/* As descend_join(), in a child that was just forked. how: HOW_FORK or HOW_CLONE. */
int descend_join_child(enum er_how how, const char **path);

/* A program that cannot load the collector. */
struct descend_outside {
    enum er_outside beyond;
    enum er_how how;     /* HOW_EXEC: of this process; HOW_SPAWN: of a child */
    u32 image;           /* enum image_kind */
    u32 child;           /* OUTSIDE_SPAWNED: the child's pid; else 0 */
    const char *program; /* its file name, without directories */
};

/*
 * Ask the launcher to sample this program from outside, or tell it that the exec has
 * failed. Also in a vfork child. 0 (for OUTSIDE_SPAWNED, without waiting for the
 * answer); or -errno: the program will not be sampled.
 */
int descend_request_outside(const struct descend_outside *b);

/*
 * Is pid the pid of this process, as the launcher sees it? 1 also if this process
 * cannot know that pid, and identifies itself by a lock (requester.h). Call after
 * descend_join().
 */
int descend_is(u32 pid);

/* 1 while the launcher answers requests of descendants. */
int descend_launcher_is_there(void);

/* 1 = an exec of a recorded program has started the present program. */
int descend_became(void);

/*
 * Keep the CPU time, in ns, that this process has used when it calls exec: the new
 * program must not count it as its own.
 */
void descend_leave(u64 user, u64 system);

/* 1 = descendants are to be recorded. */
int descend_is_wanted(void);

/*
 * Record no more descendants: recording ends, or a seccomp filter might kill them for
 * calls that the collector makes.
 */
void descend_stop(void);

/* Could the program after an exec read the libraries and write the experiment? */
int descend_reaches(void);

/*
 * For an exec with the environment envp. descend_hands_down(): 1 if our variables must
 * be added to it. descend_environ() makes a copy with them in room, which has `bytes`
 * bytes, as many as descend_bytes(envp) has returned, and returns the copy. It returns
 * envp itself if no variables must be added, or if another thread has made envp longer
 * in the meantime.
 */
int descend_hands_down(char *const envp[]);
size_t descend_bytes(char *const envp[]);
char *const *descend_environ(void *room, size_t bytes, char *const envp[]);

/* Path of the founder's experiment; "" = none. */
extern char *descend_founder;

#endif
