/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of functions whose calls are recorded (collect -T). Each function has a
 * row:
 *
 *   PQexec(conn:ptr, query:sql) -> ptr bad(0)
 *
 * From it follows where the calling convention of x86-64 puts each value. A row without
 * parentheses names a function whose type is not known. Pure: any context of launcher,
 * target and reader; no allocation. Offsets and lengths of texts refer to the row.
 */
#ifndef ERTOOLS_SHARE_CALLTYPE_H
#define ERTOOLS_SHARE_CALLTYPE_H

#include "share/call.h"

/*
 * Parse a row of len bytes. Returns NULL; or what is wrong, a constant phrase such as
 * "no such type", with *at the offset of the error in the row; then *type is undefined.
 */
const char *calltype_parse(const char *row, u32 len, struct call_type *type, u32 *at);

/*
 * Get the next row of a text that has one row a line; # begins a comment. Returns 1,
 * with the row without blanks around it: *start is its beginning, row->len its length.
 * 0 at the end. *at, the offset reached, and *line, the lines read, must be 0 before
 * the first call.
 */
int calltype_next(const char *text, u64 size, u64 *at, u32 *line, struct call_span *row,
                  const char **start);

/*
 * Why calls of a function cannot be recorded, whatever its type: a phrase; NULL = they
 * can.
 */
const char *calltype_refused(const char *name, u32 len);

/* Does this result mean that the call failed? result: as a number, sign-extended. */
static inline int
calltype_failed(const struct call_type *type, int64_t result)
{
    int found = 0;

    for (u32 i = 0; i < type->ranges; i++)
        found |= result >= type->range[i].lo && result <= type->range[i].hi;
    return type->verdict == CALL_OK_LIST ? !found : found;
}

#endif
