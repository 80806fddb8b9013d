/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suppression of leaks: rules that name stacks, one per line, from files; and built-in
 * rules for the C library and libstdc++. Ordinary process context.
 *
 *   CONDITION GLOB [CONDITION GLOB...]     all must hold
 *
 * function, object, source: some frame's function name, object's or source file's base
 * name matches. bytes: the blocks have that size. '#' begins a comment.
 */
#ifndef ERTOOLS_PRINT_CMD_SUPPRESS_H
#define ERTOOLS_PRINT_CMD_SUPPRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "print/model/heap/heap.h"

struct suppressions;

/* Our own rules, for suppress_free(); NULL when out of memory. */
struct suppressions *suppress_default(void);
struct suppressions *suppress_none(void);
void suppress_free(struct suppressions *rules);

/*
 * Add the rules of a file. 0, or -errno; -EINVAL: line *line is no rule. On errors no
 * rule is added.
 */
int suppress_read(struct suppressions *rules, FILE *file, unsigned *line);

/* Does a rule match the blocks of a stack? size: of each block, 0 = they differ. */
bool suppress_has(const struct suppressions *rules, struct session *session, u32 node,
                  u64 size);

#endif
