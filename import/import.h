/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contents of another profiler's file, on their way into an experiment: a reader
 * adds processes, threads, load objects, stacks and hits, in the order of time.
 * Ordinary process context, one thread. If memory runs out, `failed` is set, and what
 * is added afterwards is dropped. Processes, threads, objects and stack nodes are
 * numbers from 1 on; 0 is none. An object or a node belongs to one process. Times are
 * ns of any clock that the file uses.
 */
#ifndef ERTOOLS_IMPORT_IMPORT_H
#define ERTOOLS_IMPORT_IMPORT_H

#include <stdbool.h>

#include "archive/object/cursor.h"
#include "import/chunkfile.h"
#include "print/base/hash.h"
#include "print/base/pool.h"
#include "share/types.h"

/*
 * A node keeps only 48 bits of a pc. In a kernel address, all higher bits are set:
 * subtracting the bias of the kernel's object, 2^48, restores them.
 */
#define IMPORT_PC_MASK ((1ull << 48) - 1)

enum {
    IMPORT_COUNTERS = 8, /* the most that an experiment can have */
    IMPORT_NOTES = 16,
};

/* A stack node. It takes 16 bytes, as in the file frameinfo: there can be millions. */
struct import_node {
    u32 parent;
    u32 object;
    u64 pc : 48;
    u64 flags : 16;
};

/*
 * A load object of a process. Its key is made from the build-id or, without one, from
 * what the file system says of the file.
 */
struct import_object {
    const char *kind; /* as in map.xml: file, vdso, anon */
    const char *name;
    const char *buildid;
    const char *copy; /* path of the file's copy in the profile; NULL = none */
    char dev[24]; /* "" = dev, inode, fsize and mtime are not known */
    u64 inode;
    u64 fsize; /* bytes */
    u64 mtime; /* ns since 1970 */
    u64 bias;
    u64 lo; /* addresses: [lo, hi) */
    u64 hi;
    u64 time; /* ns: when it was mapped */
    bool main; /* it is the program of the process */
    bool named; /* made by names.h */
};

struct import_thread {
    u32 tid;
    char name[16];
    u64 birth; /* ns */
    u64 hits;  /* how many were added */
};

struct import_process {
    u32 pid;
    u32 ppid;
    const char *name; /* name of the program */
    u32 creator;      /* the process that created it, 0 = not known */
    char how;         /* how it was created: 'f' fork, 'x' exec; 0 = not known */
    bool has_hits;
    u64 start; /* ns: time of the first record about it, and of the last one */
    u64 end;
    struct import_object *object;
    u32 nobjects, objects_room;
    struct import_thread *thread;
    u32 nthreads, threads_room;
    struct import_node *node;
    u32 nnodes, nodes_room;
    struct hash nodes;
    struct chunkfile profile;
    struct chunkfile counters;
    struct chunkfile heap;
};

/* A counter. CPU time is never one: it is hits of the clock. */
struct import_counter {
    const char *name;
    const char *unit; /* "ns", "bytes", or "" for events */
    u64 interval; /* between two hits, in that unit; 0 = it varies */
};

struct import {
    const char *format; /* name in formats.def */
    const char *file;
    struct bytes mapped; /* all of the file, for slurp_forget(); size 0: it is on the
                            heap */
    const char *tool;    /* program that wrote the file; up to cpus, "" = not known */
    const char *command; /* the tool's command line */
    const char *host;
    const char *os;
    const char *arch;
    const char *cpus;
    u64 clock_ns;  /* requested interval of the clock in ns, 0 = not known */
    bool has_clock;
    bool has_heap;
    bool has_branches; /* branch stacks are recorded with the counters */
    struct import_counter counter[IMPORT_COUNTERS];
    u32 ncounters;
    u64 lost;      /* hits that the file says were lost, or that could not be read */
    u64 cut_at;    /* offset at which the file is cut off, 0 = it is not */
    u64 throttled; /* how often the kernel stopped a counter for a while */
    const char *note[IMPORT_NOTES]; /* import_add_note() */
    u32 nnotes;
    struct import_process *process;
    u32 nprocesses, processes_room;
    struct names *names; /* functions without addresses: names.h */
    struct pool *pool; /* the strings of import_text() */
    bool failed;
    char why[512]; /* why a reader gave up */
};

void import_open(struct import *im, const char *file);
void import_close(struct import *im);

/* Copy a text; the copy lives as long as the import. Never NULL. */
const char *import_text(struct import *im, const char *text, size_t len);

/* For readers: returns -EBADMSG, and writes the sentence to `why` unless it has one. */
int import_fail(struct import *im, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The number of the counter with that name, which is added if it is new;
 * IMPORT_COUNTERS: there are too many. A name that er_print could not take is changed.
 */
u32 import_counter(struct import *im, const char *name);

/*
 * Like import_counter(), and set the counter's unit. `unit` is the name of the values'
 * unit in the file, such as "milliseconds": values must be multiplied by *scale to get
 * the counter's unit.
 */
u32 import_counter_unit(struct import *im, const char *name, const char *unit,
                        u64 *scale);

/*
 * Adds a sentence about what is left out, for the user and the log. Sentences beyond
 * IMPORT_NOTES are dropped.
 */
void import_add_note(struct import *im, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add a process or a thread (tid: the kernel's). Return its number; 0 = no memory. */
u32 import_process(struct import *im, u32 pid, u32 ppid, u64 time);
u32 import_thread(struct import *im, u32 process, u32 tid, u64 time);

/* The same for a load object, whose strings must live as long as the import. */
u32 import_object(struct import *im, u32 process, const struct import_object *object);

/*
 * The node with these contents, which is added if it is new. flags: enum er_node_flag.
 * Returns 0, no node, if memory has run out; and if parent, object, pc and flags are 0:
 * a row of zeros in the file frameinfo means that the node is missing.
 */
u32 import_node(struct import *im, u32 process, u32 parent, u32 object, u64 pc,
                u32 flags);

/*
 * The process has ended: free the table by which its nodes are found, which takes more
 * memory than the nodes do. A node that is added again later gets another number.
 */
void import_process_ended(struct import *im, u32 process);

struct import_hit {
    u32 process;
    u32 thread;
    u32 node;    /* 0 = the stack is not known */
    u32 cpu;
    u64 time;    /* ns */
    u64 value;   /* of the clock: ns; of a counter: in its unit; of the heap: bytes */
    bool kernel; /* of the clock: the processor was in the kernel */
};

/* Add a hit of the clock, or of a counter, whose number import_counter() returned. */
void import_clock(struct import *im, const struct import_hit *hit);
void import_count(struct import *im, u32 counter, const struct import_hit *hit);

/*
 * Add the branches that the processor had taken before that hit, encoded as in
 * share/branch.h.
 */
void import_branches(struct import *im, const struct import_hit *hit,
                     struct er_str steps);

/*
 * import_alloc(): add the allocation of a block of hit->value bytes at `address`;
 * import_free(): add that the block at `address` was freed.
 */
void import_alloc(struct import *im, const struct import_hit *hit, u64 address);
void import_free(struct import *im, const struct import_hit *hit, u64 address);

/* Readers. 0; -ENOEXEC: it is another format; -EBADMSG and im->why; -ENOMEM. */
#define IMPORT_FORMAT(name, doc) \
    int import_##name(struct import *im, struct bytes file);
#include "import/formats.def"
#undef IMPORT_FORMAT

/*
 * Write the experiment into the new directory `path`, and describe its load objects.
 * 0; -ENOENT: there is nothing to write; else -errno, and nothing is left behind.
 */
int import_write(struct import *im, const char *path);

#endif
