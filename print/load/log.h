/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.xml in memory: the options of collect, the machine, the schema of the data files,
 * and the events. Ordinary process context. All strings are unescaped; the log owns
 * them.
 */
#ifndef ERTOOLS_PRINT_LOAD_LOG_H
#define ERTOOLS_PRINT_LOAD_LOG_H

#include <stdbool.h>

#include "print/base/problems.h"
#include "print/load/pair.h"
#include "print/load/record/schema.h"
#include "share/types.h"

/* An element that is neither an event nor part of the schema: <host cpus=.../>, ... */
struct log_element {
    const char *name;
    struct log_pair *attr;
    u32 nattrs;
};

/* An <event>. `kind` and `id` are never NULL ("" if missing). */
struct log_event_row {
    const char *kind;     /* er_event_kinds: "run", "warning", ... */
    const char *id;       /* events.def: "disk_full", ... */
    const char *sentence; /* the element's text */
    u64 mono;             /* CLOCK_MONOTONIC, ns */
    struct log_pair *attr;
    u32 nattrs;
};

struct pool; /* memory of the strings */

struct log {
    struct log_element *element; /* in file order */
    u32 nelements;
    char **arg; /* the target's command line */
    u32 nargs;
    struct log_event_row *event; /* in file order */
    u32 nevents;
    struct schema schema;
    bool closed; /* the final </experiment> was found */
    struct pool *memory;
};

/*
 * Read log.xml in directory dirfd. What can be read is kept; damage is reported in
 * `problems`, with the experiment's `name`. 0, or -errno if nothing could be read:
 * -ENOENT: no such file; -EBADMSG: it is not an experiment's log; -EMEDIUMTYPE: gprofng
 * or Oracle Studio wrote it. The caller frees *out by log_free().
 */
int log_read(struct log *out, int dirfd, const char *name, struct problems *problems);

/* The same for a log in memory; the text is not kept. */
int log_parse(struct log *out, const char *text, size_t len, const char *name,
              struct problems *problems);

void log_free(struct log *log);

/* Did the user ask for hits of any counter? */
bool log_has_counter_hits(const struct log *log);

/*
 * The command line, for free(). Words with special characters are quoted as for a
 * shell, but what is special within double quotes is not escaped. NULL = no memory.
 */
char *log_command(const struct log *log);

/*
 * An attribute of the first element with that name; NULL if there is no such attribute.
 */
const char *log_fact(const struct log *log, const char *element, const char *attr);

/* The first event with that id, or the last one; NULL if there is none. */
const struct log_event_row *log_find_event(const struct log *log, const char *id);
const struct log_event_row *log_last_event(const struct log *log, const char *id);

/*
 * The events at which recording began and ended: with the run of the target, or with
 * the time in which collect was attached. NULL if there is no such event.
 */
const struct log_event_row *log_begin(const struct log *log);
const struct log_event_row *log_end(const struct log *log);

/*
 * When recording ended early: by -t, by the program itself or by -L; `end` if it did
 * not. CLOCK_MONOTONIC ns.
 */
u64 log_over(const struct log *log, u64 end);

/*
 * An attribute of an event: as text, NULL if it is missing; or as a number, `missing`
 * if it is.
 */
const char *log_event_attr(const struct log_event_row *event, const char *name);
u64 log_event_number(const struct log_event_row *event, const char *name, u64 missing);

#endif
