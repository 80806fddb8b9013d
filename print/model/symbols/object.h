/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects of a session: instances with the same key, of all experiments, are
 * one object. For the model's own use; function.h has the functions for others.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_OBJECT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_OBJECT_H

#include "print/load/hash.h"
#include "print/load/map.h"
#include "print/load/pool.h"
#include "print/model/symbols/function.h"

struct object {
    char *path;
    const char *name;
    char *buildid;
    char key[OBJFILE_KEY_MAX + 32]; /* objfile_key(), or one of our own with a blank */
    enum map_kind kind;
    bool collector;
    bool looked; /* for its archive */
    struct objfile *file;
    char *problem;
    /*
     * Indexed like the tables of the archive: the session's number + 1, 0 = not asked
     * yet.
     */
    u32 *func_of_symbol;
    u32 *func_of_decl;
    u32 *file_of_file;
    enum object_mode mode;
    bool chosen;   /* that mode was asked for */
    const char *title; /* of what stands for it where it is hidden */
    bool internal; /* part of a language's runtime: hidden from users */
    u32 hidden;    /* the function that stands for all of it, 0 = not made */
    u32 unknown;   /* the function of its code that has none, 0 = not made */
    bool complete; /* all symbols have their functions */
    bool interpreted; /* a source file of an interpreter's: see interp.h */
    bool interpreter; /* its evaluation function was met on a stack */
    u32 source;       /* that file, 0 = none */
};

struct objects {
    struct object *object; /* 0 is <Unknown> */
    u32 count;
    u32 room;
    struct hash keys;
    char **archived; /* paths for which er_archive was run */
    u32 narchived;
};

/*
 * Is the file with that path a language runtime, whose functions its users need not
 * see?
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
 * Add an object that no experiment has. `file` describes it, and belongs to the object
 * from then on; NULL = its code is not known. 0 or -ENOMEM.
 */
int objects_adopt(struct session *session, const char *path, enum map_kind kind,
                  struct objfile *file, u32 *object);

/* Get the object for the interpreted code of a file. 0 or -ENOMEM. */
int objects_interpreted(struct session *session, const char *path, u32 *object);

/* Make known the objects of all instances of an experiment. 0 or -ENOMEM. */
int objects_add(struct session *session, u32 index);

/* Get an object; if it has an archive, the archive is opened. */
struct object *objects_look(struct session *session, u32 object);

#endif
