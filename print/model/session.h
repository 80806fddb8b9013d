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
    /* The filter has changed: forget what was summed up with it. NULL: no sums. */
    void (*forget_sums)(struct session *session);
    u32 groups; /* how many names were added, ever */
    struct descendants *descendants; /* those that are added; NULL = all */
};

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
