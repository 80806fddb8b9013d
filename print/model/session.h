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
    NAME_BRIEF,   /* like NAME_SHORT, without template arguments: see briefname.h */
    NAME_MANGLED, /* as in the object file */
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
    enum name_style names; /* the caller may change it */
    bool soname;           /* add " [object]" to function names; may be changed, too */
    bool machine;          /* the processor's view: see sessions_view() */
    bool user;             /* the user's view: see sessions_view() */
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
    /* Forget what was summed up, since the filter has changed. NULL: do nothing. */
    void (*forget_sums)(struct session *session);
    u32 groups; /* successful calls of sessions_add(), ever */
    struct descendants *descendants; /* which sub-experiments are added; NULL = all */
};

/*
 * Does the experiment with that index have another founder than the experiment before
 * it? So callers can examine only once what thousands of descendants have in common.
 */
static inline bool
session_new_founder(const struct session *session, u32 index)
{
    return !index || session->experiment[index]->founder !=
                         session->experiment[index - 1]->founder;
}

/*
 * Where sources are looked for. session_setpath() replaces the list, session_addpath()
 * appends to it; both take directories separated by colons, where "$expts" stands for
 * the experiments. session_path() returns the list. session_pathmap(): in source paths
 * that begin with `from`, replace `from` by `to`. 0 or -ENOMEM.
 */
int session_setpath(struct session *session, const char *path);
int session_addpath(struct session *session, const char *path);
int session_pathmap(struct session *session, const char *from, const char *to);
const char *session_path(const struct session *session);

/* Get the pathmap `index` (from 0), in order of use. 0; -ENOENT: there are no more. */
int session_pathmap_at(const struct session *session, u32 index, const char **from,
                       const char **to);

#endif
