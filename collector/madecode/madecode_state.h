/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the launcher knows of the code that one process makes: where the descriptions of
 * it are, how far each was read, and what is kept of it for the next look. There is a
 * struct for each reader. Normal context of the launcher.
 */
#ifndef ERTOOLS_MADECODE_MADECODE_STATE_H
#define ERTOOLS_MADECODE_MADECODE_STATE_H

#include <stddef.h>

#include "share/types.h"

struct madewrite;
struct recording;

/* /tmp/perf-PID.map, see perfmap.h. All zero = not looked for yet. */
struct perfmap {
    int file;    /* descriptor + 1, 0 = none */
    u32 pid;     /* pid as the process itself sees it, 0 = not known yet */
    u64 read;    /* bytes of the file that were read */
    u64 since;   /* CLOCK_MONOTONIC ns of the last look */
    u64 stale;   /* bytes that an earlier process left; 0 = none, or not any more */
    u32 stale_crc;
    u32 functions; /* number of functions found in it */
    u32 bad;       /* lines that could not be parsed */
    u32 was_there; /* 1 = the file was older than the process when it was opened */
};

/*
 * A function's description: its offset in the file (at), and the function's address
 * (addr). It is read again if the function moves, since the record of a move has no
 * name and no code.
 */
struct jitdump_place {
    u64 addr;
    u64 at;
};

/* jit-PID.dump, see jitdump.h. All zero = none was found. */
struct jitdump {
    int file;  /* descriptor + 1, 0 = none */
    int bad;   /* 1 = it is damaged: nothing more is read */
    u64 read;  /* bytes of the file that were read */
    u64 flags; /* flags of its header */
    u64 since; /* CLOCK_MONOTONIC ns of the last look */
    struct jitdump_place *place; /* of all functions so far, in the file's order */
    u32 places;
    u32 room;
};

enum {
    GDBJIT_LISTS = 4, /* lists of a process, at most */
};

/* An object file of a list. */
struct gdbjit_entry {
    u64 at;    /* address of the list's entry */
    u64 file;  /* address of the object file; 0 = read it again at the next look */
    u64 size;  /* of the file */
    u64 round; /* number of the last look that found it in a list */
};

/* The lists of the GDB JIT interface, see gdbjit.h. All zero = none was found. */
struct gdbjit {
    u64 list[GDBJIT_LISTS]; /* addresses of __jit_debug_descriptor */
    u32 lists;
    size_t known;  /* objects that struct maps had counted at the last search */
    u64 *searched; /* addresses of mappings that were searched for a list */
    u32 nsearched;
    struct gdbjit_entry *entry;
    u32 entries;
    u32 met;   /* index of the last entry that was found again */
    u64 round; /* number of the present look */
    u64 since; /* CLOCK_MONOTONIC ns of the last look */
};

/* What is known of the code of one process. All zero at first. */
struct madecode {
    struct perfmap perfmap;
    struct jitdump jitdump;
    struct gdbjit gdbjit;
    struct madewrite *write; /* NULL: nothing to write yet */
};

/*
 * The struct madecode of a session, which is allocated by the first call, and freed by
 * madecode_end(). NULL: there is no memory for it.
 */
struct madecode *madecode_state_of(struct recording *s);

#endif
