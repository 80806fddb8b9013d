/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the readers of both versions of LNT's profiles: counters of the program,
 * functions with percentages of these, and instructions with percentages of their
 * function's. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_LNT_LNT_H
#define ERTOOLS_IMPORT_LNT_LNT_H

#include "import/kinds.h"
#include "import/names.h"

enum { LNT_COUNTERS = 32 };

struct lnt {
    struct import *im;
    struct import_kind kind[LNT_COUNTERS];
    u32 nkinds;
    u64 total[LNT_COUNTERS]; /* by counter, like the next three: the program's sum */
    u64 given[LNT_COUNTERS]; /* what was given to functions so far */
    u64 own[LNT_COUNTERS];   /* of the function: what was given to no instruction yet */
    u64 whole[LNT_COUNTERS]; /* the function's value */
    u32 func;   /* the current function, of names.h; 0 = none */
    u32 ninsns; /* instructions of the function so far */
    u32 place;  /* place of the current instruction */
    struct import_hit hit;
};

/* Begin the profile. False: there is no memory. */
bool lnt_begin(struct lnt *l, struct import *im);

/* Adds a counter and returns its number; LNT_COUNTERS and import_fail(): too many. */
u32 lnt_counter(struct lnt *l, const char *name, size_t len, u64 total);

/* Call this after the last counter. */
void lnt_settle(struct lnt *l);

/*
 * Add a function: call these in this order. After lnt_share() for each counter of the
 * function, each lnt_insn() is followed by lnt_insn_share() for the instruction's
 * counters.
 */
void lnt_function(struct lnt *l, const char *name, size_t len);
void lnt_share(struct lnt *l, u32 counter, double percent);
void lnt_insn(struct lnt *l, const char *text, size_t len);
void lnt_insn_share(struct lnt *l, u32 counter, double percent);
void lnt_function_end(struct lnt *l);

/* Adds the part of the counters that no function has. 0 or -ENOMEM. */
int lnt_end(struct lnt *l);

/* Reads version 1, a Python pickle compressed by zlib; like import_lnt(). */
int lnt_pickle(struct import *im, struct bytes file);

#endif
