/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives one experiment: sees to it that every load object of its maps has its object
 * file in archives/. Ordinary process context; one experiment at a time.
 */
#ifndef ERTOOLS_ARCHIVE_ARCHIVE_H
#define ERTOOLS_ARCHIVE_ARCHIVE_H

#include <stdbool.h>

#include "archive/mapxml.h"
#include "archive/objfile.h"

enum archive_mode {
    ARCHIVE_ON,   /* describe the objects */
    ARCHIVE_COPY, /* and keep them: archives/<key>.bin */
    ARCHIVE_SRC,  /* and keep the sources too: archives/src */
    ARCHIVE_OFF   /* nothing */
};

struct archive_options {
    enum archive_mode mode;
    bool force;        /* describe also what has been described before */
    bool founder_only; /* leave sub-experiments out */
    /* Told each sentence, in the calling thread: of a warning, or an error. */
    void (*say)(bool error, const char *sentence);
};

enum archive_state {
    ARCHIVE_PRESENT, /* in archives/, or in the cache when that cannot be written */
    ARCHIVE_WANTED,  /* to be described */
    ARCHIVE_MISSING, /* the object is gone */
    ARCHIVE_CHANGED, /* there is another one of its name */
    ARCHIVE_FOREIGN, /* it never was an object file, but a dump of a heap, say */
    ARCHIVE_FAILED   /* it cannot be read or has no code, or its file not be written */
};

/* One distinct load object of the experiment. */
struct archive_item {
    char key[OBJFILE_KEY_MAX];
    const struct mapxml_object *object;
    enum archive_state state;
    bool had;      /* there was a description before -F */
    bool fatal;    /* no place to write to, rather than a bad object */
    char *warning; /* a sentence, or NULL */
};

struct archive {
    const struct archive_options *options;
    const char *name;         /* of the experiment */
    int expdir;
    int archives;             /* archives/; -1: none */
    bool writable;            /* archives/ can be written */
    int cache;                /* the user's cache; -1: none */
    struct mapxml *maps;      /* of the founder and its sub-experiments */
    u32 map_count;
    struct archive_item *items; /* sorted by key */
    u32 item_count;
};

/*
 * For the room's own use: calls `each` with every sub-experiment; they lie flat in the
 * founder's directory. Those that cannot be opened are passed over.
 */
void archive_subs(const struct archive *a,
                  void (*each)(void *context, int dir, const char *path),
                  void *context);

/*
 * Archives the experiment in the directory `name`. Returns the number of objects with a
 * warning; -ENOENT or another -errno: it cannot be opened; -EINVAL: it is no
 * experiment; -EROFS: there is nowhere to write to. An error is told too.
 */
int archive_experiment(const char *name, const struct archive_options *options);

#endif
