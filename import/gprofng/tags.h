/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the tags of text that looks like XML, one by one; for files that an XML parser
 * refuses, since they have several roots, or zeros at the end. Ordinary process
 * context.
 */
#ifndef ERTOOLS_IMPORT_GPROFNG_TAGS_H
#define ERTOOLS_IMPORT_GPROFNG_TAGS_H

#include "import/import.h"

enum {
    TAG_ATTRS = 24, /* further attributes are left out */
};

/* Strings live as long as the import. */
struct tag {
    const char *name; /* begins with a slash if it closes an element */
    const char *attr[TAG_ATTRS];
    const char *value[TAG_ATTRS];
    u32 nattrs;
    const char *text; /* what follows, up to the next tag */
};

struct tags {
    struct import *im;
    const char *at;
    const char *end;
};

/* Get the next tag; false: there are no more. */
bool tags_next(struct tags *t, struct tag *tag);

/* The value of an attribute, "" if there is none. */
const char *tags_attr(const struct tag *tag, const char *name);

/*
 * The value of an attribute as a number: decimal, 0x or, after a 0, octal; optionally
 * with a sign. 0 if it is not a number, or is missing.
 */
u64 tags_number(const struct tag *tag, const char *name);

/*
 * The value of an attribute, seconds with an optional fraction, converted to ns.
 */
u64 tags_ns(const struct tag *tag, const char *name);

#endif
