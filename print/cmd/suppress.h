/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suppression of leaks: rules that match stacks, one in a line, from files; and
 * built-in rules for the C library and libstdc++. Ordinary process context.
 *
 *   CONDITION GLOB [CONDITION GLOB...]     all must match
 *
 * function, object, source: some frame has a function of that name, or an object or
 * source file with that base name. bytes: the blocks have that size. '#' begins a
 * comment.
 */
#ifndef ERTOOLS_PRINT_CMD_SUPPRESS_H
#define ERTOOLS_PRINT_CMD_SUPPRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "print/model/heap/heap.h"

struct suppressions;

/* Get the built-in rules, for suppress_free(); NULL if memory runs out. */
struct suppressions *suppress_default(void);
struct suppressions *suppress_none(void);
void suppress_free(struct suppressions *rules);

/*
 * Add the rules of a file. 0, or -errno; -EINVAL: line *line is not a rule. If there is
 * an error, no rule is added.
 */
int suppress_read(struct suppressions *rules, FILE *file, unsigned *line);

/*
 * Does a rule match the blocks of a stack? size: bytes of each block, 0 = they differ.
 */
bool suppress_has(const struct suppressions *rules, struct session *session, u32 node,
                  u64 size);

#endif
