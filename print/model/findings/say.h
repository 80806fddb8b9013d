/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a finding, part by part. All functions add to the finding that was begun last.
 * If memory runs out, they set findings->no_memory. For the code in
 * print/model/findings alone.
 */
#ifndef ERTOOLS_PRINT_MODEL_FINDINGS_SAY_H
#define ERTOOLS_PRINT_MODEL_FINDINGS_SAY_H

#include "print/model/findings/findings.h"
#include "print/model/metric.h"

/*
 * Begin a finding. command: printf's format of the command that shows more; "" = none.
 */
void say_begin(struct findings *f, enum finding_kind kind, const char *command, ...)
    __attribute__((format(printf, 3, 4)));

/* Append plain text (FIND_TEXT). */
void say(struct findings *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Append the name of something. Line ends in it become blanks; the middle of a very
 * long name is left out.
 */
void say_name(struct findings *f, enum finding_field field, const char *name);

/*
 * Append "1.035 s" ("12.5 us" if less than 1 ms), "82 %", "125 waits" ("1 wait"), "18.5
 * KiB".
 */
void say_time(struct findings *f, u64 ns);
void say_share(struct findings *f, double part, double whole);
void say_count(struct findings *f, u64 count, const char *one, const char *many);
void say_bytes(struct findings *f, u64 bytes);

/* Append a metric's value as a time, bytes or a count, by the metric's unit. */
void say_value(struct findings *f, enum metric metric, int64_t value);

/*
 * A time as text, for say(): so it does not become a number of the finding. This text
 * and those that the functions below return live as long as the findings.
 */
const char *say_seconds(struct findings *f, u64 ns);

/*
 * A stack's innermost frame in the program's own code (neither of a system library nor
 * of a wrapper), as text such as "append (logd.c:70)"; "" if there is none.
 */
const char *say_place(struct findings *f, struct session *session, u32 node);

/*
 * Append a function and where it is declared: "meet (rays.cc:33)"; or, if that is not
 * known, its load object: "meet (libc.so.6)".
 */
void say_function(struct findings *f, struct session *session, u32 function);

/* A function's name, as it can be used as an argument of a command. */
const char *say_argument(struct findings *f, struct session *session, u32 function);

/* Is the function's source file known, and its load object no system library? */
bool say_is_own(struct session *session, u32 function);

/* A path's last part, which is within `path`. */
const char *say_base(const char *path);

#endif
