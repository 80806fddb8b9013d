/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives one experiment: makes sure that archives/ has an object file for every load
 * object in the experiment's maps. Ordinary process context; one experiment at a time.
 */
#ifndef ERTOOLS_ARCHIVE_ARCHIVE_H
#define ERTOOLS_ARCHIVE_ARCHIVE_H

#include <stdbool.h>

#include "archive/mapxml.h"
#include "archive/objfile.h"

enum archive_mode {
    ARCHIVE_ON,   /* describe the objects */
    ARCHIVE_COPY, /* also copy the objects: archives/<key>.bin */
    ARCHIVE_SRC,  /* also copy the sources: archives/src */
    ARCHIVE_OFF   /* describe nothing; only tidy the experiment up (tidy.h) */
};

struct archive_options {
    enum archive_mode mode;
    bool force;        /* describe again what has been described before */
    bool founder_only; /* leave out sub-experiments, those of descendants */
    /* Receives each sentence of a warning or an error, in the calling thread. */
    void (*say)(bool error, const char *sentence);
};

enum archive_state {
    ARCHIVE_PRESENT, /* in archives/, or in the cache if archives/ is not writable */
    ARCHIVE_WANTED,  /* to be described */
    ARCHIVE_MISSING, /* the object is gone */
    ARCHIVE_CHANGED, /* another file has its name now */
    ARCHIVE_FOREIGN, /* it never was an ELF file, but for example a dump of a heap */
    ARCHIVE_FAILED   /* unreadable, or without code, or its object file cannot be
                      * written */
};

/* One distinct load object of the experiment. */
struct archive_item {
    char key[OBJFILE_KEY_MAX];
    const struct mapxml_object *object;
    enum archive_state state;
    bool had;      /* a description existed before -F made a new one */
    bool fatal;    /* no place to write to; the object is not at fault */
    char *warning; /* a sentence, or NULL */
};

struct archive {
    const struct archive_options *options;
    const char *name;         /* of the experiment */
    int expdir;
    int archives;             /* descriptor of archives/; -1: none */
    bool writable;            /* archives/ can be written */
    int cache;                /* descriptor of the user's cache; -1: none */
    struct mapxml *maps;      /* of the founder, and of its sub-experiments if wanted */
    u32 map_count;
    struct archive_item *items; /* sorted by key */
    u32 item_count;
};

/*
 * Only for archive/ itself: calls `each` with every sub-experiment, all of which lie
 * directly in the founder's directory. Sub-experiments that cannot be opened are
 * skipped. `dir` is the opened sub-experiment, and is closed when `each` has returned.
 */
void archive_subs(const struct archive *a,
                  void (*each)(void *context, int dir, const char *path),
                  void *context);

/*
 * Archives the experiment in the directory `name`. Returns the number of objects with a
 * warning; -ENOENT or another -errno: the experiment cannot be opened; -EINVAL: it is
 * no experiment; -EROFS: no place is writable. Errors are also passed to say().
 */
int archive_experiment(const char *name, const struct archive_options *options);

#endif
