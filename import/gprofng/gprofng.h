/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of gprofng's reader. A gprofng experiment is a directory: log.xml
 * describes the other files, map.xml has the load objects, data.frameinfo the stacks,
 * and each kind of data has a file of packets. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_GPROFNG_GPROFNG_H
#define ERTOOLS_IMPORT_GPROFNG_GPROFNG_H

#include "import/import.h"

/* Kinds of packets, as in log.xml. */
enum gprofng_kind {
    GPROFNG_CLOCK_OLD = 1,
    GPROFNG_SYNC = 2,
    GPROFNG_COUNT = 3,
    GPROFNG_HEAP = 5,
    GPROFNG_COUNT_MEMORY = 7,
    GPROFNG_CLOCK = 8,
    GPROFNG_FRAME = 11,
    GPROFNG_IO = 19,
    GPROFNG_CLOSED = 0xffff, /* the rest of the block has no packets */
};

/* The fields of packets that this reader uses, by their names in log.xml. */
#define GPROFNG_FIELDS(FIELD)                                                     \
    FIELD(LWPID) FIELD(CPUID) FIELD(TSTAMP) FIELD(FRINFO) FIELD(MSTATE)           \
    FIELD(NTICK) FIELD(HWCTAG) FIELD(HWCINT) FIELD(HTYPE) FIELD(HSIZE)            \
    FIELD(HVADDR) FIELD(HOVADDR) FIELD(SRQST) FIELD(IORQST) FIELD(IONBYTE)

enum gprofng_field {
#define FIELD(name) FIELD_##name,
    GPROFNG_FIELDS(FIELD)
#undef FIELD
    FIELD_COUNT
};

enum {
    GPROFNG_TABLES = 16,   /* kinds of packets in an experiment */
    GPROFNG_COUNTERS = 64, /* hardware counters in an experiment */
};

/* A file of packets. */
struct gprofng_table {
    const char *file;
    u32 kind;
    u32 at[FIELD_COUNT];   /* by field: its offset in a packet */
    u32 size[FIELD_COUNT]; /* by field: bytes; 0 = packets have no such field */
};

struct gprofng_counter {
    u32 tag;
    u32 counter; /* number in import.h */
};

/* The contents of log.xml. */
struct gprofng_log {
    const char *version; /* version of the collector */
    const char *command;
    u32 pid, ppid;
    u32 word;     /* bytes of an address */
    u64 start;    /* start of the run, in ns of the clock of all recorded times */
    u64 wall;     /* start of the run: seconds since 1970 */
    u64 clock_ns; /* between two hits */
    struct gprofng_table table[GPROFNG_TABLES];
    u32 ntables;
    struct gprofng_counter counter[GPROFNG_COUNTERS];
    u32 ncounters;
};

/* A mapping that contains code; in the order of map.xml. */
struct gprofng_segment {
    const char *name;
    u64 lo, hi, offset; /* addresses [lo, hi); offset in the file of the byte at lo */
    u64 load, unload;   /* ns: when it was mapped and unmapped */
    u32 object; /* number in import.h, 0 = not made yet */
};

struct gprofng_map {
    struct gprofng_segment *segment;
    u32 count, room;
    bool unloads; /* some segments are unmapped before the end */
};

/* The data of one process. */
struct gprofng_source {
    struct bytes log, map, frames;
    const char *path;  /* its directory; NULL = there is none */
    struct bytes data; /* contents of every file of packets, if there is no directory */
};

/* Read log.xml. 0; -ENOEXEC, another format; -EBADMSG and im->why; -ENOMEM. */
int gprofng_log_read(struct import *im, struct bytes text, struct gprofng_log *log);

/* Read map.xml. 0 or -ENOMEM; in both cases, the caller frees map->segment. */
int gprofng_map_read(struct import *im, const struct gprofng_log *log,
                     struct bytes text, struct gprofng_map *map);

/* The number (import.h) of the object that was at an address at a time; 0 = none. */
u32 gprofng_map_object(struct import *im, u32 process, const struct gprofng_log *log,
                       struct gprofng_map *map, u64 pc, u64 time);

/* The stacks of a process. */
struct gprofng_frames;

/*
 * Read the stacks in `file`; word: bytes of an address. 0 or -ENOMEM; in both cases,
 * call gprofng_frames_free(*out).
 */
int gprofng_frames_read(struct gprofng_frames **out, struct bytes file, u32 word);
void gprofng_frames_free(struct gprofng_frames *f);

/* What the functions below need for adding stacks and hits to a process. */
struct gprofng_where {
    struct import *im;
    u32 process;
    const struct gprofng_log *log;
    struct gprofng_map *map;
    struct gprofng_frames *frames;
    struct hash *threads; /* the process's threads, by thread id */
};

/*
 * Makes the node of the stack with the id `uid`, 0 = there is none. `exact`: the leaf's
 * pc is not a return address.
 */
u32 gprofng_frames_node(const struct gprofng_where *w, u64 uid, u64 time, bool exact);

/* Get the next packet of a file: its bytes and its kind. False: there is none. */
struct gprofng_packets {
    struct bytes file;
    u64 at;
};

bool gprofng_next(struct gprofng_packets *p, struct bytes *packet, u32 *kind);

/* Add all packets of a table. 0 or -ENOMEM. */
int gprofng_add(const struct gprofng_where *w, const struct gprofng_table *table,
                struct bytes file);

/*
 * Read one process; *process becomes its number in import.h. creator: 0 = it is the
 * founder; how: as in struct import_process. Returns the same errors as
 * gprofng_log_read().
 */
int gprofng_process(struct import *im, const struct gprofng_source *source,
                    u32 creator, char how, u32 *process);

#endif
