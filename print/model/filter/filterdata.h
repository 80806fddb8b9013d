/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filter words that ask for the data object at an address at a given time. The data
 * objects of an experiment are found when a filter first needs them. For the model's
 * own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERDATA_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERDATA_H

#include <regex.h>

#include "print/model/data/datafind.h"

/* Numbers of data objects: below this, indices in data_things; from here on, blocks. */
#define FILTERDATA_BLOCK ((int64_t)1 << 32)

struct data_moment {
    u64 ticks;
    u64 addr;
    u32 thing;
    bool stack;
};

/* One experiment. */
struct filter_moments {
    bool loaded;
    struct data_moment *row; /* by ticks, addr and stack */
    u32 count;
    u32 *first; /* for each of `count` equal parts of the time, and the end */
    u64 from, span; /* ticks */
    u32 *node; /* the session's, by the experiment's id; NULL = not needed yet */
    u32 nodes;
};

struct filter_data {
    struct data_things things;
    struct filter_moments *experiment;
    u32 experiments;
};

/*
 * The data objects whose title matches a pattern: a byte for each number of an object.
 */
struct filter_data_set {
    unsigned char *thing;
    u32 things;
    unsigned char *block; /* by number less FILTERDATA_BLOCK */
    u32 blocks;
};

/*
 * Load what filters need for an experiment's accesses and, if `blocks`, for its heap
 * events. 0 or -errno.
 */
int filterdata_load(struct session *session, struct filter_data *data, u32 experiment,
                    bool blocks);
void filterdata_free(struct filter_data *data);

/* The number of the data object that was accessed, -1 = not known. Any thread. */
int64_t filterdata_access(const struct filter_data *data, u32 experiment, u64 ticks,
                          u64 addr, bool stack);

/*
 * The number of the data object of a block or mapping that was allocated by a stack,
 * which is a node of the experiment.
 */
int64_t filterdata_block(const struct filter_data *data, u32 experiment, u32 node,
                         bool mapping);

/* 0 and *out for filterdata_set_free(), or -ENOMEM. */
int filterdata_match(struct session *session, const struct filter_data *data,
                     const regex_t *pattern, struct filter_data_set *out);
void filterdata_set_free(struct filter_data_set *set);

/* Is the data object in the set? Any thread. */
bool filterdata_has(const struct filter_data_set *set, int64_t number);

#endif
