/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the readers of both versions of LNT's profiles share: counters of the program,
 * functions with percentages of these, and instructions with percentages of their
 * function's. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_LNT_H
#define ERTOOLS_IMPORT_LNT_H

#include "import/kinds.h"
#include "import/names.h"

enum { LNT_COUNTERS = 32 };

struct lnt {
    struct import *im;
    struct import_kind kind[LNT_COUNTERS];
    u32 nkinds;
    u64 total[LNT_COUNTERS];
    u64 given[LNT_COUNTERS]; /* to functions */
    u64 own[LNT_COUNTERS];   /* of the function, and no instruction has it yet */
    u64 whole[LNT_COUNTERS]; /* of the function */
    u32 func;
    u32 ninsns; /* of it so far */
    u32 place;  /* of the instruction */
    struct import_hit hit;
};

/* Begin the profile. False: without memory. */
bool lnt_begin(struct lnt *l, struct import *im);

/* The number of a counter; LNT_COUNTERS and import_fail(): there are too many. */
u32 lnt_counter(struct lnt *l, const char *name, size_t len, u64 total);

/* After the last counter. */
void lnt_settle(struct lnt *l);

/* A function, its shares in percent, its instructions with theirs, and its end. */
void lnt_function(struct lnt *l, const char *name, size_t len);
void lnt_share(struct lnt *l, u32 counter, double percent);
void lnt_insn(struct lnt *l, const char *text, size_t len);
void lnt_insn_share(struct lnt *l, u32 counter, double percent);
void lnt_function_end(struct lnt *l);

/* What no function has. 0 or -ENOMEM. */
int lnt_end(struct lnt *l);

/* Version 1, a pickle of Python that zlib has compressed: as import_lnt(). */
int lnt_pickle(struct import *im, struct bytes file);

#endif
