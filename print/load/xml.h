/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the XML files of an experiment, line by line, with libxml2; their writers
 * append whole lines. A broken line is reported and skipped; an incomplete last line is
 * skipped; it is no error if the end tag is missing. No entities but the five of XML,
 * no document type, no network. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_XML_H
#define ERTOOLS_PRINT_LOAD_XML_H

#include <stdbool.h>

#include "print/load/log.h"
#include "print/load/pool.h"
#include "print/load/problems.h"
#include "share/types.h"

enum {
    XML_ATTRS_MAX = 64,       /* further attributes of an element are left out */
    XML_SIZE_MAX = 256 << 20, /* bytes of a file */
    XML_VERSION = 1,          /* of all documents of an experiment */
};

/*
 * These are called in the order of the document. Attributes are unescaped and live in
 * the pool. `text` is what stands between an element's start tag and the next tag.
 * `end` may be NULL.
 */
struct xml_reader {
    void (*start)(void *context, const char *name, const struct log_pair *attr,
                  u32 nattrs);
    void (*end)(void *context, const char *name, const char *text);
    void *context;
    struct pool **pool;
    const char *root;          /* the root element; a newer version is reported */
    const char *name;          /* the file's, for sentences */
    struct problems *problems;
    bool closed; /* out: the root's end was seen */
    bool opened; /* out: its start was seen */
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
 * The attribute as a number, decimal or 0x; `missing` if it is not there, or is no
 * number.
 */
u64 xml_number(const struct log_pair *attr, u32 nattrs, const char *name, u64 missing);

/* Undo fmt_xml()'s \xNN and \\ in place; returns the new length. */
size_t xml_unescape(char *text, size_t len);

#endif
