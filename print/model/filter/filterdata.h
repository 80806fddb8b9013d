/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For filter words that ask for the data object at an address at a given time. The data
 * objects of an experiment are found when a filter first needs them. For the model's
 * own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERDATA_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERDATA_H

#include <regex.h>

#include "print/model/data/datafind.h"

/*
 * Numbers of data objects below this are indices in data_things. From here on they
 * stand for the blocks (even) or mappings (odd) that one stack allocated.
 */
#define FILTERDATA_BLOCK ((int64_t)1 << 32)

/* An access to an address, and the data object there. */
struct data_moment {
    u64 ticks;
    u64 addr;
    u32 thing;  /* index in data_things */
    bool stack; /* the address is on the thread's own stack */
};

/* The accesses of one experiment. */
struct filter_moments {
    bool loaded; /* `row` and so on are set */
    struct data_moment *row; /* sorted by ticks, addr and stack */
    u32 count;
    /* of `count` equal parts of the time: index of the first row; then `count` */
    u32 *first;
    u64 from, span; /* ticks: start and length of the time that is divided */
    u32 *node; /* by node id: the session's node; NULL = not needed yet */
    u32 nodes;
};

struct filter_data {
    struct data_things things;
    struct filter_moments *experiment;
    u32 experiments;
};

/*
 * The data objects whose title matches a pattern: 1 for each that does, else 0.
 */
struct filter_data_set {
    unsigned char *thing; /* by number below FILTERDATA_BLOCK */
    u32 things;
    unsigned char *block; /* by number less FILTERDATA_BLOCK */
    u32 blocks;
};

/*
 * Load the data that filters need for an experiment's heap events if `blocks`, else for
 * its accesses, unless that was done. 0 or -errno.
 */
int filterdata_load(struct session *session, struct filter_data *data, u32 experiment,
                    bool blocks);
void filterdata_free(struct filter_data *data);

/*
 * The number of the data object of an access; -1 = there is no such access. Any thread.
 */
int64_t filterdata_access(const struct filter_data *data, u32 experiment, u64 ticks,
                          u64 addr, bool stack);

/*
 * The number of the data object of a block or mapping. node: the experiment's id of the
 * stack that allocated it. -1 = not known. Any thread.
 */
int64_t filterdata_block(const struct filter_data *data, u32 experiment, u32 node,
                         bool mapping);

/*
 * Find the data objects whose title matches. 0 and *out for filterdata_set_free(), or
 * -ENOMEM.
 */
int filterdata_match(struct session *session, const struct filter_data *data,
                     const regex_t *pattern, struct filter_data_set *out);
void filterdata_set_free(struct filter_data_set *set);

/* Is the data object in the set? Any thread. */
bool filterdata_has(const struct filter_data_set *set, int64_t number);

#endif
