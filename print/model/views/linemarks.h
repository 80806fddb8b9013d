/* SPDX-License-Identifier: Apache-2.0 */
/* Marks at the lines of a source file: functions, inlined calls, hot lines. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_LINEMARKS_H
#define ERTOOLS_PRINT_MODEL_VIEWS_LINEMARKS_H

#include "print/model/views/aggregate.h"
#include "print/model/views/source.h"

/* Set source->mark, with values. walk: opened with lines. 0 or -ENOMEM. */
int linemarks_set(struct session *session, const struct stack_tree *walk,
                  struct source *source);

/* Is a value at least `threshold` percent of the largest? */
static inline bool
is_hot(int64_t value, int64_t largest, u32 threshold)
{
    return value > 0 && (double)value * 100 >= (double)largest * threshold;
}

#endif
