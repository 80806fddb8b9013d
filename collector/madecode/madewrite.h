/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes records of the file madecode, in chunks of thread 0: functions made at run
 * time that the launcher has read from the files that runtimes write. Normal context of
 * the launcher.
 */
#ifndef ERTOOLS_MADECODE_MADEWRITE_H
#define ERTOOLS_MADECODE_MADEWRITE_H

#include "collector/session/session.h"
#include "share/record.h"

enum {
    MADEWRITE_BYTES = 65536, /* bytes of a chunk, with its header */
};

/*
 * A chunk that is being filled in memory. Nothing of it is in the file until it is
 * flushed.
 */
struct madewrite {
    struct moment now; /* when the chunk was begun: the time of all its records */
    u32 used;          /* bytes in `data`, with the header; 0 = no chunk is begun */
    u32 seq;           /* number of chunks that were written */
    u32 dropped;       /* not used */
    struct codec codec;
    unsigned char data[MADEWRITE_BYTES];
};

/*
 * Add a record; its time is set here. 0, or -errno: there is no memory, or the full
 * chunk could not be written. Then its records and this one are lost.
 */
int madewrite_made(struct recording *s, const struct rec_made *made);
int madewrite_source(struct recording *s, const struct rec_source *source);
int madewrite_line(struct recording *s, const struct rec_line *line);
int madewrite_bytes(struct recording *s, const struct rec_bytes *bytes);

/*
 * Write the records that were added since the last flush. 0, or -errno: they are lost.
 */
int madewrite_flush(struct recording *s);

void madewrite_free(struct recording *s);

#endif
