/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects of a session, for the model's own use. Instances of all experiments with
 * the same key are one object. See function.h for the functions that others may use.
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
    /* By index in the archive: the session's number + 1, 0 = not asked yet. */
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

/* Is the file of that path a runtime whose functions are not for its users? */
bool object_is_runtime(const char *path);

int objects_open(struct session *session);
void objects_close(struct objects *objects);

/* The object of an instance of experiment `index`; made when new. 0 or -ENOMEM. */
int objects_of(struct session *session, u32 index, const struct map_instance *instance,
               u32 *object);

/*
 * An object of no experiment, described by `file`, which it then owns; NULL = nothing
 * is known of its code. 0 or -ENOMEM.
 */
int objects_adopt(struct session *session, const char *path, enum map_kind kind,
                  struct objfile *file, u32 *object);

/* The object of interpreted code of that file. 0 or -ENOMEM. */
int objects_interpreted(struct session *session, const char *path, u32 *object);

/* Make the objects of all instances of an experiment known. 0 or -ENOMEM. */
int objects_add(struct session *session, u32 index);

/* The object with its archive opened, if there is one. */
struct object *objects_look(struct session *session, u32 object);

#endif
