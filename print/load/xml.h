/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the XML files of an experiment, line by line, with libxml2; their writers
 * append whole lines. A broken line is reported and skipped; so is an incomplete last
 * line. A missing end tag is not an error. No entities but the five of XML, no document
 * type, no network. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_XML_H
#define ERTOOLS_PRINT_LOAD_XML_H

#include <stdbool.h>

#include "print/base/pool.h"
#include "print/base/problems.h"
#include "print/load/pair.h"
#include "share/types.h"

enum {
    XML_ATTRS_MAX = 64,       /* further attributes of an element are left out */
    XML_SIZE_MAX = 256 << 20, /* bytes of a file */
    XML_VERSION = 1,          /* newest known version of an experiment's documents */
};

/*
 * start() and end() are called in the order of the document, but not for the root.
 * Attributes are unescaped and live in the pool. text: the unescaped text before the
 * end tag, back to the previous tag; valid during the call. `end` may be NULL.
 */
struct xml_reader {
    void (*start)(void *context, const char *name, const struct log_pair *attr,
                  u32 nattrs);
    void (*end)(void *context, const char *name, const char *text);
    void *context;
    struct pool **pool;
    const char *root;          /* name of the root; a newer version is reported */
    const char *name;          /* of the file, for problems */
    struct problems *problems;
    bool closed; /* output: the root's end tag was seen */
    bool opened; /* output: the root's start tag was seen */
};

/* 0 or -ENOMEM. */
int xml_parse(struct xml_reader *reader, const char *text, size_t len);

/*
 * Read the file `name` of directory dirfd, a regular file, into memory that the caller
 * frees. *text is terminated. 0 or -errno (-EFBIG: larger than XML_SIZE_MAX).
 */
int xml_slurp(int dirfd, const char *name, char **text, size_t *len);

/* The value of an attribute; `missing` if the element does not have it. */
const char *xml_attr(const struct log_pair *attr, u32 nattrs, const char *name,
                     const char *missing);

/*
 * The attribute as a number, decimal or with 0x; `missing` if there is none, or it is
 * not a number.
 */
u64 xml_number(const struct log_pair *attr, u32 nattrs, const char *name, u64 missing);

/* Undo fmt_xml()'s \xNN and \\ in place; returns the new length. */
size_t xml_unescape(char *text, size_t len);

#endif
