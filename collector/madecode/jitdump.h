/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jit-PID.dump: what runtimes write for `perf inject` (node --perf-prof, .NET, LLVM,
 * perf's agent for Java): functions with their code, their lines, and when they
 * appeared and moved. The runtime maps the file with permission to execute, and by this
 * mapping it is found. Normal context of the launcher.
 */
#ifndef ERTOOLS_MADECODE_JITDUMP_H
#define ERTOOLS_MADECODE_JITDUMP_H

#include <sys/types.h>

#include "share/types.h"

struct recording;

/*
 * Call for a mapping of the process. Returns 1 if it is of a file named jit-*.dump,
 * else 0. If it is the first such file of the process and can be opened, it is read
 * from now on. path is as the process sees it; dev and inode are of the file that it
 * has mapped.
 */
int jitdump_found(struct recording *s, const char *path, dev_t dev, u64 inode);

/*
 * jitdump_read_new(): read what was added to the file since the last time, and record
 * it. jitdump_end(): do so for the last time, unless the process has become another
 * program; then close the file.
 */
void jitdump_read_new(struct recording *s);
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

/*
 * Parse a whole record of `len` bytes. 0, with kind JITDUMP_OTHER if it is of another
 * kind or its addresses are implausible; or -EINVAL if it cannot be a record.
 */
int jitdump_parse(const unsigned char *bytes, size_t len, struct jitdump_record *out);

#endif
