/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sites: the distinct code addresses on stacks, and the frames to which each expands.
 * For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_SITES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_SITES_H

#include "print/load/hash.h"
#include "print/model/symbols/function.h"

enum {
    SITE_INLINES_MAX = 64, /* deeper inlining is cut at its innermost end */
};

/* A frame of a site. file and line are set by sites_lines(). */
struct site_frame {
    u32 func;
    u32 file; /* where it stands or calls the next one; 0 = not known */
    u32 line;
};

struct site {
    u32 object;
    bool call; /* vaddr is the last byte of a call, not an instruction's start */
    bool has_frames;
    bool has_lines;
    bool has_start;
    unsigned char eval; /* interp_is_eval(): 0 = not asked yet, 1 yes, 2 no */
    u64 vaddr; /* link-time; of object 0 the number of a pseudo function, or a pc */
    u64 start; /* of the instruction, by sites_starts() */
    u32 first; /* its frames, outermost first: frame[first] … */
    u32 depth; /* how many: at least 1 */
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

/* Get the site of an address, which is made if it is new. 0 or -ENOMEM. */
int sites_of(struct sites *sites, u32 object, u64 vaddr, bool call, u32 *site);

/*
 * Get a site's frames. They stay valid until frames are made for another site. 0 or
 * -ENOMEM.
 */
int sites_frames(struct session *session, struct sites *sites, u32 site,
                 const struct site_frame **frames, u32 *depth);

/* The same, with files and lines. */
int sites_lines(struct session *session, struct sites *sites, u32 site,
                const struct site_frame **frames, u32 *depth);

/* Set the member `start` of all sites. 0 or -ENOMEM. */
int sites_starts(struct session *session, struct sites *sites);

#endif
