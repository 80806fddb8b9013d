/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes experiments whose truth is known, for tests and benches: the files that
 * `collect` and libcollector.so would write, byte by byte as asked. Ordinary process
 * context; files are held in memory until gen_finish(). Whatever fails ends the program
 * with a sentence.
 *
 * One clock: ticks are nanoseconds of CLOCK_MONOTONIC, times the factor `tick_scale`.
 */
#ifndef ERTOOLS_TESTS_GEN_H
#define ERTOOLS_TESTS_GEN_H

#include <stdbool.h>
#include <stdio.h>

#include "share/chunk.h"
#include "share/record.h"
#include "share/types.h"

enum {
    GEN_THREADS_MAX = 4096,
    GEN_START = 1000000000, /* CLOCK_MONOTONIC ns of the run event */
};

struct gen_chunk;

/* Where an experiment comes from. */
struct gen_host {
    const char *name;
    const char *boot; /* "" = not told */
    u64 start;        /* CLOCK_MONOTONIC ns of the run event */
    int64_t wall;     /* ns by which its wall clock is wrong */
};

struct gen_file {
    unsigned char *data;
    u64 size; /* a multiple of ER_SEGMENT */
    u64 next;
};

struct gen {
    char *path;
    int dir;
    struct gen_file file[FILE_COUNT];
    struct gen_chunk **chunk; /* by thread * FILE_COUNT + file */
    FILE *log;
    FILE *map;
    char *log_text, *map_text;
    size_t log_len, map_len;
    u32 nodes;
    u32 threads;
    u64 start;
    u32 tick_scale; /* ticks per ns, at least 1 */
    bool keep_tail; /* leave the files' reserved ends, as kill -9 does */
    bool unsealed;  /* do not seal the last chunks, as kill -9 does */
};

/* Begin an experiment in the new directory `path`, its log's head written. */
struct gen *gen_start(const char *path, u32 tick_scale);

/* The same of a process on some host. */
struct gen *gen_start_on(const char *path, u32 tick_scale, const struct gen_host *host);

/* A load object of kind "file"; its build-id names its archive. */
void gen_object(struct gen *gen, u32 id, const char *name, const char *buildid,
                u64 bias, u64 lo, u64 hi, const char *flags);
void gen_unload(struct gen *gen, u32 id, u64 mono);

/* Append a stack node; returns its id, 1 for the first. */
u32 gen_node(struct gen *gen, u32 parent, u32 instance, u64 pc, u32 flags);

/* Write the node `id` wherever it stands; ids left out are nodes never written. */
void gen_node_at(struct gen *gen, u32 id, u32 parent, u32 instance, u64 pc, u32 flags);

/* Append a thread; its id must be one more than the last one's, from 1. */
void gen_thread(struct gen *gen, const struct rec_thread *row);

/* Records; mono is CLOCK_MONOTONIC ns and replaces the record's time. */
void gen_clock(struct gen *gen, u32 thread, u64 mono, const struct rec_clock *record);
void gen_residual(struct gen *gen, u32 thread, u64 mono,
                  const struct rec_residual *record);
void gen_off(struct gen *gen, u32 thread, u64 mono, const struct rec_off *record);
void gen_sample(struct gen *gen, u32 thread, u64 mono, const struct rec_sample *record);

/* The same of the heap; `took` is in ns too. */
void gen_alloc(struct gen *gen, u32 thread, u64 mono, const struct rec_alloc *record);
void gen_free(struct gen *gen, u32 thread, u64 mono, const struct rec_free *record);
void gen_realloc(struct gen *gen, u32 thread, u64 mono,
                 const struct rec_realloc *record);
void gen_memory_map(struct gen *gen, u32 thread, u64 mono,
                    const struct rec_map *record);
void gen_memory_unmap(struct gen *gen, u32 thread, u64 mono,
                      const struct rec_unmap *record);
void gen_memory_remap(struct gen *gen, u32 thread, u64 mono,
                      const struct rec_remap *record);

/* Of locks and the like, and of I/O; `took` and `held` are in ns too. */
void gen_wait(struct gen *gen, u32 thread, u64 mono, const struct rec_wait *record);
void gen_hold(struct gen *gen, u32 thread, u64 mono, const struct rec_hold *record);
void gen_order(struct gen *gen, u32 thread, u64 mono, const struct rec_order *record);
void gen_renew(struct gen *gen, u32 thread, u64 mono, const struct rec_renew *record);
void gen_io(struct gen *gen, u32 thread, u64 mono, const struct rec_io *record);
void gen_open(struct gen *gen, u32 thread, u64 mono, const struct rec_file *record);

/* Of counters; what was counted in all is of the thread 0. */
void gen_count(struct gen *gen, u32 thread, u64 mono, const struct rec_count *record);
void gen_access(struct gen *gen, u32 thread, u64 mono, const struct rec_access *record);
void gen_total(struct gen *gen, u32 thread, u64 mono, const struct rec_total *record);

/* Of MPI; `took`, `waited` and `posted` are in ns too. */
void gen_mpi(struct gen *gen, u32 thread, u64 mono, const struct rec_mpi *record);
void gen_done(struct gen *gen, u32 thread, u64 mono, const struct rec_done *record);
void gen_begun(struct gen *gen, u32 thread, u64 mono, const struct rec_start *record);
void gen_comm(struct gen *gen, u32 thread, u64 mono, const struct rec_comm *record);
void gen_partner(struct gen *gen, u32 thread, u64 mono,
                 const struct rec_partner *record);

/* Of regions; `took` and `since` are in ns too. */
void gen_span(struct gen *gen, u32 thread, u64 mono, const struct rec_span *record);
void gen_path(struct gen *gen, u32 thread, u64 mono, const struct rec_path *record);
void gen_usage(struct gen *gen, u32 thread, u64 mono, const struct rec_usage *record);
void gen_notice(struct gen *gen, u32 thread, u64 mono,
                const struct rec_notice *record);

/* Bytes that stand for a record of an unknown kind, skipped by its escape. */
void gen_escape(struct gen *gen, u32 thread, enum er_file file, u64 mono, u32 kind,
                u32 len);

/* A line of log.xml or map.xml as it is, with its newline. */
void gen_log(struct gen *gen, const char *line);
void gen_map(struct gen *gen, const char *line);

/* The end event with the process's CPU time, and the tails. */
void gen_end(struct gen *gen, u64 mono, u64 user, u64 system);

/* The tails of log and map, after an end event of the caller's own. */
void gen_tails(struct gen *gen);

/* Write all files and free everything. */
void gen_finish(struct gen *gen);

/* A program's functions for gen_archive(): 64 bytes each, at 0x1000 + 64 * number. */
enum {
    GEN_CODE = 0x1000,
    GEN_FUNC_BYTES = 64,
    GEN_INLINE_FROM = 32, /* where in a function its inlined call begins, */
    GEN_INLINE_TO = 48,   /* and ends */
};

/*
 * Write archives/<buildid>.ero for an object of `functions` functions: number i is
 * called <prefix><i>, stands in the source file `source` at lines 10 * i + 1 to
 * 10 * i + 9, a line every 8 bytes; every `inline_every`-th (0 = none) has inlined_<i>
 * called at its line 10 * i + 5. The code is 7 nops of 8 bytes, then a jump to the
 * next function in 5 bytes and a nop of 3.
 */
void gen_archive(struct gen *gen, const char *path, const char *buildid,
                 const char *prefix, const char *source, u32 functions,
                 u32 inline_every);

#endif
