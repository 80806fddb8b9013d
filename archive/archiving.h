/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment that is being archived, its load objects, and what the user wants.
 * Only for archive/ itself, apart from the options. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_ARCHIVING_H
#define ERTOOLS_ARCHIVE_ARCHIVING_H

#include <stdbool.h>

#include "archive/mapxml.h"
#include "archive/object/objfile.h"

enum archive_mode {
    ARCHIVE_ON,   /* describe the objects */
    ARCHIVE_COPY, /* also copy the objects: archives/<key>.bin */
    ARCHIVE_SRC,  /* also copy the objects and their sources: archives/src */
    ARCHIVE_OFF   /* describe nothing; only tidy the experiment up (tidy.h) */
};

struct archive_options {
    enum archive_mode mode;
    bool force;        /* describe again what has been described before */
    bool founder_only; /* leave out the sub-experiments of descendants */
    /* Receives each sentence of a warning or an error, in the calling thread. */
    void (*notify)(bool error, const char *sentence);
};

enum archive_state {
    ARCHIVE_PRESENT, /* described in archives/; in the cache, if that is not writable */
    ARCHIVE_WANTED,  /* not described yet */
    ARCHIVE_MISSING, /* no file has the object's path any more */
    ARCHIVE_CHANGED, /* the file at its path is not, or may not be, the one that ran */
    ARCHIVE_FOREIGN, /* not ELF, also during the run: for example a dump of a heap */
    ARCHIVE_FAILED   /* unreadable, or without code, or its object file cannot be
                      * written */
};

/* One distinct load object of the experiment. */
struct archive_item {
    char key[OBJFILE_KEY_MAX];
    const struct mapxml_object *object;
    enum archive_state state;
    bool had;      /* archives/ had a current description before this run */
    bool fatal;    /* its description was made, but could not be written anywhere */
    char *warning; /* a sentence, owned; or NULL */
};

struct archive {
    const struct archive_options *options;
    const char *name;         /* the experiment's path, as the user gave it */
    int expdir;               /* descriptor of the experiment's directory */
    int archives;             /* descriptor of archives/; -1: none */
    bool writable;            /* archives/ can be written */
    int cache;                /* descriptor of the user's cache; -1: none */
    struct mapxml *maps;      /* the founder's, and its sub-experiments' if wanted */
    u32 map_count;
    struct archive_item *items; /* sorted by key */
    u32 item_count;
};

/*
 * Calls `each` with every sub-experiment, all of which lie directly in the founder's
 * directory. Sub-experiments that cannot be opened are skipped. dir: the
 * sub-experiment's descriptor, which is closed when `each` has returned. path: the
 * sub-experiment's path, for messages.
 */
void archiving_subs(const struct archive *a,
                    void (*each)(void *context, int dir, const char *path),
                    void *context);

#endif
