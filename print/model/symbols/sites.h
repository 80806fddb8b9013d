/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sites: the distinct code addresses on stacks, and the frames to which each expands.
 * For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_SITES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_SITES_H

#include "print/base/hash.h"
#include "print/model/symbols/function.h"

enum {
    SITE_INLINES_MAX = 64, /* most inlined frames of a site; inner ones are left out */
};

/* A frame of a site. file and line are set by sites_lines(). */
struct site_frame {
    u32 func;
    u32 file; /* of the code, or of the call of the next frame; 0 = not known */
    u32 line; /* 0 = not known */
};

struct site {
    u32 object;
    bool call; /* vaddr is the last byte of a call, not an instruction's start */
    bool has_frames; /* `first` and `depth` are set */
    bool has_lines;  /* its frames have file and line */
    bool has_start;  /* `start` is set */
    unsigned char eval; /* interpsites_is_eval(): 0 = not asked, 1 = true, 2 = false */
    u64 vaddr; /* link-time address; of object 0 the number of a pseudo function */
    u64 start; /* of the instruction, by sites_starts() */
    u32 first; /* index in sites.frame of its outermost frame; inner ones follow */
    u32 depth; /* number of its frames, at least 1 */
};

struct sites {
    struct site *site;
    u32 count;
    u32 room;
    struct site_frame *frame;
    u32 nframes;
    u32 frame_room;
    struct hash hash;
};

/*
 * Sites 0 to FUNC_PSEUDO_COUNT - 1 exist from the start: they stand for pseudo
 * functions.
 */
int sites_open(struct sites *sites);
void sites_close(struct sites *sites);

/*
 * Get the site of an address, which is made if it is new. call: vaddr is the last byte
 * of a call. 0 or -ENOMEM.
 */
int sites_of(struct sites *sites, u32 object, u64 vaddr, bool call, u32 *site);

/*
 * Get a site's frames. They are valid until the frames of another site are made. 0 or
 * -ENOMEM.
 */
int sites_frames(struct session *session, struct sites *sites, u32 site,
                 const struct site_frame **frames, u32 *depth);

/* The same, with files and lines. */
int sites_lines(struct session *session, struct sites *sites, u32 site,
                const struct site_frame **frames, u32 *depth);

/* Set `start` of all sites. 0 or -ENOMEM. */
int sites_starts(struct session *session, struct sites *sites);

#endif
