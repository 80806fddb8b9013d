/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads Python pickles as data: only dictionaries, lists, tuples, strings, numbers and
 * None. All other instructions are refused, above all those that import or call
 * something; nothing in a pickle is ever executed. Ordinary process context. Values are
 * numbers from 1 on; 0 is none. A value may be contained in several others, even in
 * itself: so readers must go down only a fixed number of levels.
 */
#ifndef ERTOOLS_IMPORT_LNT_PICKLE_H
#define ERTOOLS_IMPORT_LNT_PICKLE_H

#include "import/import.h"

enum pickle_kind {
    PICKLE_NONE,
    PICKLE_NUMBER,
    PICKLE_TEXT,
    PICKLE_LIST, /* a list or tuple */
    PICKLE_DICT, /* its items are keys and values in turn */
};

struct pickle_value {
    u32 kind;
    u32 len; /* bytes of a text */
    union {
        double number;
        const char *text; /* not terminated; in the pickle, or in the import's pool */
        struct {
            u32 first, last; /* indices in pickle.item, + 1; 0 = no items */
        };
    };
};

/* An item of a list or a dictionary. */
struct pickle_item {
    u32 value;
    u32 next; /* index of the next item, + 1; 0 = it is the last one */
};

struct pickle {
    struct pickle_value *value;
    u32 nvalues, values_room;
    struct pickle_item *item;
    u32 nitems, items_room;
    u32 root;
};

/*
 * Reads a pickle. 0; -EBADMSG and im->why; -ENOMEM. Call pickle_free() in each case.
 * Takes at most about 60 times the pickle's size in memory.
 */
int pickle_read(struct import *im, struct bytes file, struct pickle *out);
void pickle_free(struct pickle *p);

/* The value for a key in a dictionary, if it is of that kind; else 0. */
u32 pickle_get(const struct pickle *p, u32 dict, const char *key,
               enum pickle_kind kind);

/*
 * The first item of a value, if the value is of that kind; 0 = it has no items, or is
 * of another kind.
 */
u32 pickle_first(const struct pickle *p, u32 value, enum pickle_kind kind);

static inline u32
pickle_next(const struct pickle *p, u32 item)
{
    return p->item[item - 1].next;
}

/* The value of an item; item 0 gives a None. */
const struct pickle_value *pickle_at(const struct pickle *p, u32 item);

#endif
