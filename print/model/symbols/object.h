/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects of a session: instances with the same key, of all experiments, are
 * one object. For the model's own use; function.h has the functions for others.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_OBJECT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_OBJECT_H

#include "print/base/hash.h"
#include "print/load/map.h"
#include "print/base/pool.h"
#include "print/model/symbols/archive.h"
#include "print/model/symbols/function.h"

struct object {
    char *path;
    const char *name;
    char *buildid;
    char key[OBJFILE_KEY_MAX + 32]; /* objfile_key(), or a text that contains a blank */
    enum map_kind kind;
    bool collector;
    bool loaded; /* its archive was loaded for */
    struct objfile *file; /* its archive, NULL = none */
    char *problem;        /* a sentence on what is missing, "" = nothing */
    /*
     * By index in the archive's tables: the session's number of the function or file
     * + 1, 0 = not asked for yet.
     */
    u32 *func_of_symbol;
    u32 *func_of_decl;
    u32 *file_of_file;
    enum object_mode mode;
    bool chosen;   /* the user has set `mode` */
    const char *title; /* name of the function that stands for it if it is hidden */
    bool internal; /* a language's runtime, which the user's view hides */
    bool java;     /* it is a Java virtual machine; `internal` is then set, too */
    u32 hidden;    /* the function that stands for all of it, 0 = not made */
    u32 unknown;   /* the function for its code without a function, 0 = not made */
    bool complete; /* all symbols have their functions */
    bool interpreted; /* it is a source file of interpreted code: see interp.h */
    bool interpreter; /* its evaluation function was found on a stack */
    u32 source;       /* number of its source file if `interpreted`, 0 = none */
};

struct objects {
    struct object *object; /* [0] is <Unknown> */
    u32 count;
    u32 room;
    struct hash keys;
    struct archive_runs archived;
};

/*
 * Is the file with that path an OpenMP runtime, whose functions users need not see?
 */
bool object_is_runtime(const char *path);

int objects_open(struct session *session);
void objects_close(struct objects *objects);

/*
 * Get the object of a load instance of experiment `index`; it is made if it is new. 0
 * or -ENOMEM.
 */
int objects_of(struct session *session, u32 index, const struct map_instance *instance,
               u32 *object);

/*
 * Add an object that no instance has. file: its archive, NULL = its code is not known.
 * 0 and *object, which owns `file`; or -ENOMEM, and the caller still owns `file`.
 */
int objects_adopt(struct session *session, const char *path, enum map_kind kind,
                  struct objfile *file, u32 *object);

/*
 * Get the object for the interpreted code of a file, made if it is new. 0 or -ENOMEM.
 */
int objects_interpreted(struct session *session, const char *path, u32 *object);

/* Add the objects of all instances of an experiment. 0 or -ENOMEM. */
int objects_add(struct session *session, u32 index);

/* Make an object of all code that an experiment's process made. 0 or -ENOMEM. */
int objects_made(struct session *session, u32 index, u32 *object);

/* Get an object; at the first call, open its archive, if it has one. */
struct object *objects_load(struct session *session, u32 object);

#endif
