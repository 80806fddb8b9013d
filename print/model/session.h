/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session: the experiments that are loaded, over which all views sum, and all data
 * computed from them. Ordinary process context, one thread (the model starts threads of
 * its own where that helps). Functions of the model take the session as their first
 * argument, return 0 or -errno, and set outputs last and only on success.
 */
#ifndef ERTOOLS_PRINT_MODEL_SESSION_H
#define ERTOOLS_PRINT_MODEL_SESSION_H

#include <stdbool.h>

#include "print/load/experiment.h"
#include "share/types.h"

enum name_style {
    NAME_LONG,    /* demangled, with parameters */
    NAME_SHORT,   /* demangled, without parameters */
    NAME_BRIEF,   /* and without template arguments: see briefname.h */
    NAME_MANGLED, /* as the linker has it */
};

struct objects;
struct functions;
struct stacks;
struct tally;
struct files;
struct filter;
struct classes;
struct comms;
struct ompplaces;
struct interp;

struct session {
    struct experiment **experiment;
    u32 nexperiments;
    u32 room; /* allocated elements of `experiment` */
    enum name_style names; /* set it freely */
    bool soname;           /* function names end in " [object]"; set it freely */
    bool machine;          /* the processor's view: see session_view() */
    bool user;             /* the user's view: see session_view() */
    /*
     * Bits 1 << FILE_...: the files whose metrics the caller wants. Rows have only
     * these metrics, and other files are not read. All are set at first; the caller may
     * change it.
     */
    u32 wanted;
    /* The model's own; NULL until needed. */
    struct objects *objects;
    struct functions *functions;
    struct stacks *stacks;
    struct tally *tally;
    struct files *files;
    struct filter *filter;
    struct classes *classes;
    struct comms *comms;
    struct ompplaces *ompplaces;
    struct interp *interp;
    u32 groups; /* how many names were added, ever */
    struct descendants *descendants; /* those that are added; NULL = all */
};

/*
 * Set the view. user: functions of language runtimes are hidden, and where a thread
 * works for another thread's code, its stack continues there. machine: inlined calls
 * are not shown, and stacks are the native ones. Neither: all functions, and joined
 * stacks with the native part in between. Earlier results can still be read and freed.
 */
void session_view(struct session *session, bool user, bool machine);

/* 0 and *out for session_close(), or -ENOMEM. */
int session_open(struct session **out);
void session_close(struct session *session);

/*
 * Add the experiments for which `name` stands: one with its sub-experiments, or a
 * group. If none could be opened: -errno, and a sentence in *why, which the caller
 * frees. If some could be: 0, and the problems of the first one say why others could
 * not. Earlier results (rows, trees) can still be read and freed.
 */
int session_add(struct session *session, const char *name, char **why);

/*
 * Which sub-experiments are added with an experiment from now on: NULL = all, "" =
 * none, else those whose program's name or own name matches the extended regular
 * expression as a whole. A sub-experiment that session_add() is called with is always
 * added. 0; -EINVAL and a sentence in `why`, and nothing has changed; -ENOMEM.
 */
int session_descendants(struct session *session, const char *names, char *why,
                        size_t size);

/* Remove the experiment with that index; later ones get lower indices. 0 or -ENOENT. */
int session_drop(struct session *session, u32 index);

/*
 * Has the experiment with that index another founder than the experiment before it? So
 * callers can examine only once what thousands of descendants have in common.
 */
static inline bool
session_new_founder(const struct session *session, u32 index)
{
    return !index || session->experiment[index]->founder !=
                         session->experiment[index - 1]->founder;
}

/*
 * Where sources are looked for. setpath replaces the list, addpath appends to it; both
 * take directories separated by colons, where "$expts" stands for the experiments.
 * pathmap: in a source path that begins with `from`, replace this by `to`. 0 or
 * -ENOMEM.
 */
int session_setpath(struct session *session, const char *path);
int session_addpath(struct session *session, const char *path);
int session_pathmap(struct session *session, const char *from, const char *to);
const char *session_path(const struct session *session);

/* Get pathmap number `index`, in the order of their use; -ENOENT beyond the end. */
int session_pathmap_at(const struct session *session, u32 index, const char **from,
                       const char **to);

#endif
