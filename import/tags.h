/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tags of a text like XML, one by one: for files that have no single root, or zeros
 * at the end, which an XML parser refuses. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_TAGS_H
#define ERTOOLS_IMPORT_TAGS_H

#include "import/import.h"

enum {
    TAG_ATTRS = 24, /* further attributes are left out */
};

/* Strings live as long as the import. */
struct tag {
    const char *name; /* with a slash in front where it closes an element */
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

/* The next tag; false: there is none. */
bool tags_next(struct tags *t, struct tag *tag);

/* The value of an attribute, "" if there is none. */
const char *tag_attr(const struct tag *tag, const char *name);

/* The same as a decimal or 0x number, with a sign or without; 0 if it is none. */
u64 tag_number(const struct tag *tag, const char *name);

/* The same of seconds with a fraction, as ns. */
u64 tag_ns(const struct tag *tag, const char *name);

#endif
