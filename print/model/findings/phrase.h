/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a finding, part by part. All functions add to the finding that was begun last.
 * If memory runs out, they set findings->no_memory. For the code in
 * print/model/findings alone.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_PHRASE_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_PHRASE_H

#include "print/model/findings/finding.h"
#include "print/model/metric.h"
#include "print/model/session.h"

/*
 * Begin a finding. command: printf's format of the command that shows more; "" = none.
 */
void phrase_begin(struct findings *f, enum finding_kind kind, const char *command, ...)
    __attribute__((format(printf, 3, 4)));

/* Append plain text (FIND_TEXT). */
void phrase_add(struct findings *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Append the name of something. Line ends in it become blanks; the middle of a very
 * long name is left out.
 */
void phrase_add_name(struct findings *f, enum finding_field field, const char *name);

/*
 * Append "1.035 s" ("12.5 us" if less than 1 ms), "82 %", "125 waits" ("1 wait"), "18.5
 * KiB".
 */
void phrase_add_time(struct findings *f, u64 ns);
void phrase_add_share(struct findings *f, double part, double whole);
void phrase_add_count(struct findings *f, u64 count, const char *one, const char *many);
void phrase_add_bytes(struct findings *f, u64 bytes);

/* Append a metric's value as a time, bytes or a count, by the metric's unit. */
void phrase_add_value(struct findings *f, enum metric metric, int64_t value);

/*
 * Get a time as text, for phrase_add(), if it must not become a number of the finding.
 * This text and those that the functions below return live as long as the findings.
 */
const char *phrase_seconds(struct findings *f, u64 ns);

/*
 * A stack's innermost frame in the program's own code (neither of a system library nor
 * of a wrapper), as text such as "append (logd.c:70)"; "" if there is none.
 */
const char *phrase_place(struct findings *f, struct session *session, u32 node);

/*
 * Append a function and where it is declared: "meet (rays.cc:33)"; or, if that is not
 * known, its load object: "meet (libc.so.6)". A name such as <libc.so.6> stays alone.
 */
void phrase_add_function(struct findings *f, struct session *session, u32 function);

/* Get a function's name as an argument of a command, quoted if necessary. */
const char *phrase_argument(struct findings *f, struct session *session, u32 function);

/* Is the function's source file known, and its load object no system library? */
bool phrase_is_own(struct session *session, u32 function);

/* Get a path's last part, which is within `path`. */
const char *phrase_base(const char *path);

#endif
