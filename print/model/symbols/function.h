/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions, load objects and source files of a session. Each is a small number, which
 * stays the same as long as the session exists.
 *
 * A function is a symbol of a load object, or an inlined function. In one object, all
 * inlined calls and all copies with the same name and declaration file are one
 * function.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FUNCTION_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FUNCTION_H

#include <stdbool.h>

#include "archive/object/objfile.h"
#include "print/model/session.h"
#include "share/types.h"

/* Pseudo functions: rows that stand for no function of the program. */
enum pseudo_function {
    FUNC_TOTAL,        /* <Total> */
    FUNC_UNKNOWN,      /* <Unknown>: code of no known object */
    FUNC_TRUNCATED,    /* <Truncated-stack>: the stack's root was not reached */
    FUNC_STARTUP,      /* <startup>: before the collector started */
    FUNC_EXIT,         /* <exit>: after the collector ended */
    FUNC_UNATTRIBUTED, /* <unattributed>: the kernel's account less all records */
    FUNC_OMITTED,      /* <omitted>: frames left out */
    FUNC_WAIT,         /* <unattributed wait>: not running, and no record says why */
    FUNC_COLLECTOR,    /* <collector>: its own work in the program's threads */
    FUNC_OMP_BARRIER,  /* <OMP-implicit_barrier>: waiting for the end of a region */
    FUNC_OMP_IDLE,     /* <OMP-idle>: waiting for another region */
    FUNC_PSEUDO_COUNT,
};

/* A load object. Object 0 is <Unknown>, to which pseudo functions belong. */
struct object_info {
    const char *path; /* "<Unknown>" for object 0 */
    const char *name; /* base name of path */
    const char *buildid;
    u64 size; /* of its code, bytes; 0 = not known */
    bool collector;
    bool symbols;       /* function names are known */
    bool lines;         /* there is line information */
    const char *problem; /* a sentence on what is missing, "" = nothing */
};

struct function_info {
    u32 object;
    const char *linkage; /* as in the object file; <…> for pseudo functions */
    u64 addr;            /* link-time vaddr of its lowest out-of-line copy; 0 = none */
    u64 size;            /* bytes of its out-of-line copies */
    u32 file;            /* where it is declared, for file_path(); 0 = not known */
    u32 line;            /* the declaration's line, 0 = not known */
    bool inlined;        /* has inlined calls */
};

/* How the functions of an object are shown. */
enum object_mode {
    OBJECT_SHOW,
    OBJECT_HIDE, /* all as one, <name of the object> */
    OBJECT_API,  /* only those that other objects call, each with all that it calls */
};

/*
 * Set or get an object's mode; hide_default_modes() undoes all settings. Object 0 is
 * always shown. In the user's view (session->user), language runtimes are hidden unless
 * their mode was set.
 */
void hide_set_mode(struct session *session, u32 object, enum object_mode mode);
enum object_mode hide_get_mode(const struct session *session, u32 object);
void hide_default_modes(struct session *session);

u32 object_count(const struct session *session);
/*
 * Describe an object. Opens the object's archive if needed; if that cannot be opened,
 * out->problem says so.
 */
void object_get(struct session *session, u32 object, struct object_info *out);
/* An object's archive; NULL if there is none. The session owns it. */
const struct objfile *object_file(struct session *session, u32 object);

/* How many functions there are so far; their ids are lower than that. */
u32 function_count(const struct session *session);
void function_get(struct session *session, u32 function, struct function_info *out);

/*
 * Does the function stand for a whole object that a view hides, as <JVM-System> does?
 */
bool function_is_hidden(const struct session *session, u32 function);

/* "Python" or "Java" if the function is interpreted; else NULL. */
const char *function_language(const struct session *session, u32 function);

/*
 * Set *offset to the distance of an address from the function's beginning, in bytes (of
 * bytecode if the function is interpreted). False: the address is not in the function,
 * or the function's address is not known.
 */
bool function_offset(struct session *session, u32 function, u64 addr, u64 *offset);

/*
 * The name to show, in the session's name style or another one; never with the object's
 * name. The session owns the text.
 */
const char *function_name(struct session *session, u32 function);
const char *function_name_styled(struct session *session, u32 function,
                                 enum name_style style);
/*
 * Like function_name(), but with " [object]" appended if session->soname is set.
 */
const char *function_title(struct session *session, u32 function);

/*
 * Find the functions with that name in all load objects, even if they have no metrics.
 * The name may be in any style; if no such function has metrics, it may also lack its
 * scope. Functions with metrics come first, those with larger values before others. 0,
 * and the caller frees *ids; -ENOENT: there is none; or another -errno.
 */
int function_find(struct session *session, const char *name, u32 **ids, u32 *count);

/*
 * The function that contains a link-time vaddr. If none is known, it is "<Unknown>
 * (object)", which stands for all such code of the object; for object 0 it is
 * FUNC_UNKNOWN.
 */
u32 function_at(struct session *session, u32 object, u64 vaddr);

/*
 * The function at a pc of an experiment, as the start function in a thread's row.
 * instance: id of the load instance; if that is not known, the one that contains pc.
 * FUNC_UNKNOWN: not known.
 */
u32 function_of_pc(struct session *session, u32 experiment, u32 instance, u64 pc);

/* Full path of a source file; "" for 0. */
const char *file_path(const struct session *session, u32 file);
u32 file_count(const struct session *session);
/*
 * Find the files that `name` may mean: a path, or its last parts. 0, and the caller
 * frees *ids; -ENOENT: there is none; or -ENOMEM.
 */
int file_find(struct session *session, const char *name, u32 **ids, u32 *count);

#endif
