/* SPDX-License-Identifier: Apache-2.0 */
/* Marks at the lines of a source file: functions and inlined calls. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_LINEMARKS_H
#define ERTOOLS_PRINT_MODEL_VIEWS_LINEMARKS_H

#include <stdbool.h>

#include "print/model/metric.h"
#include "print/model/session.h"

struct stack_tree;

/* A function that is declared at a line, or a call that was inlined into the line. */
struct source_mark {
    u32 line;
    u32 func;
    bool inlined; /* func was inlined into this line; else func is declared here */
    struct values excl; /* if inlined: of the call and of what is inlined in it */
    struct values incl;
};

/*
 * Make the marks of a file, with values, sorted by line; functions that are declared at
 * a line come first. walk: opened with lines. 0, and the caller frees *marks; or
 * -ENOMEM.
 */
int linemarks_of(struct session *session, const struct stack_tree *walk, u32 file,
                 struct source_mark **marks, u32 *count);

/* Is a value above 0, and at least `threshold` percent of the largest? */
static inline bool
is_hot(int64_t value, int64_t largest, u32 threshold)
{
    return value > 0 && (double)value * 100 >= (double)largest * threshold;
}

#endif
