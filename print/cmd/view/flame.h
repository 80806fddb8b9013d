/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call tree as bars, whose widths are shares of the metric. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_CMD_VIEW_FLAME_H
#define ERTOOLS_PRINT_CMD_VIEW_FLAME_H

#include <stdio.h>

#include "print/cmd/shell.h"
#include "print/model/views/calltree.h"

struct flame_box {
    int64_t value; /* inclusive */
    double start;  /* shares of the whole, 0 to 1 */
    double share;
};

struct flame {
    enum metric metric;
    struct calltree tree;
    struct flame_box *box; /* by node of the tree; all 0 if there is nothing */
    double scale; /* factor of starts and shares, so that all fit: 1, or less if some
                     values are negative */
};

/* 0 and *out for flame_close(), or -errno. */
int flame_open(struct session *session, enum metric metric, struct flame *out);
void flame_close(struct flame *f);

/* A node's value for people, with its unit; buf has VALUE_MAX bytes. */
const char *flame_value(const struct flame *f, u32 node, char *buf);

/* Write a picture (SVG) that needs no other files; ferror() says if writing failed. */
void flame_svg(struct session *session, const struct flame *f, FILE *out);

#endif
