/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jit-PID.dump: what runtimes write for `perf inject` (node --perf-prof, .NET, LLVM,
 * Java's agent of perf): functions with their code, their lines, and when they appeared
 * and moved. Its writer maps the file with permission to execute, by which it is found.
 * Normal context of the launcher.
 */
#ifndef ERTOOLS_MADECODE_JITDUMP_H
#define ERTOOLS_MADECODE_JITDUMP_H

#include <sys/types.h>

#include "share/types.h"

struct recording;

/*
 * Where in the file (at) the function at an address (addr) was described: if it moves,
 * the record of that has no name and no code.
 */
struct jitdump_place {
    u64 addr;
    u64 at;
};

/* All zero = none was found. */
struct jitdump {
    int file;  /* descriptor + 1, 0 = none */
    int bad;   /* 1 = it is damaged: nothing more is read */
    u64 read;  /* bytes that were read */
    u64 flags; /* of its header */
    u64 since; /* CLOCK_MONOTONIC ns of the last look */
    struct jitdump_place *place; /* in the order of the file */
    u32 places;
    u32 room;
};

/*
 * Call for a mapping of the process. If it is of a file jit-PID.dump, the file is read
 * from now on; returns 1, else 0. path is as the process sees it; dev and inode are of
 * the file that it has mapped.
 */
int jitdump_found(struct recording *s, const char *path, dev_t dev, u64 inode);

/*
 * jitdump_look(): read what the file has got since the last time. jitdump_end(): do so
 * for the last time.
 */
void jitdump_look(struct recording *s);
void jitdump_end(struct recording *s);

enum {
    JITDUMP_LINES = 4096, /* lines kept of a function; further ones are left out */
    JITDUMP_SOURCES = 64, /* the same for its source files */
};

struct jitdump_line {
    u64 addr;
    u32 line;
    u32 source; /* index in jitdump_record.source + 1; 0 = none */
};

struct jitdump_text {
    const char *s;
    u32 len;
};

/* What a record says. Texts and code point into its bytes; texts are not terminated. */
struct jitdump_record {
    enum { JITDUMP_OTHER, JITDUMP_LOAD, JITDUMP_MOVE, JITDUMP_DEBUG } kind;
    u64 time;
    u64 addr;
    u64 size;
    u64 old; /* MOVE: where it was */
    struct jitdump_text name;
    const unsigned char *code; /* size bytes */
    u32 nlines;
    u32 nsources;
    struct jitdump_line line[JITDUMP_LINES];
    struct jitdump_text source[JITDUMP_SOURCES];
};

/* Parse a whole record of `len` bytes. 0, or -EINVAL if it cannot be one. */
int jitdump_parse(const unsigned char *bytes, size_t len, struct jitdump_record *out);

#endif
