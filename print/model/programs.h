/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The programs of a session: processes whose programs have the same name are one
 * program. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_PROGRAMS_H
#define ERTOOLS_PRINT_MODEL_PROGRAMS_H

#include <stdbool.h>

#include "print/model/session.h"

struct program {
    const char *name; /* lives as long as the session has its experiments */
    u32 processes;    /* experiments: a process that execs has one for each program */
    u32 bad;          /* of these, ended by a signal or with another status than 0 */
    u64 cpu;          /* ns, by the kernel: sum over those for which it is known */
    u64 wall;         /* ns: sum of the durations of its processes */
    u64 longest;      /* ns: the duration of the longest process */
    bool cpu_known;   /* cpu is known of at least one process */
};

/* Sorted by CPU time, largest first; then by name. */
struct programs {
    struct program *row;
    u32 count;
    u64 cpu; /* ns: sum over all programs */
};

/* 0 and *out for programs_free(), or -ENOMEM. */
int programs_get(const struct session *session, struct programs *out);
void programs_free(struct programs *programs);

/*
 * The number of the program that an experiment ran: the index + 1 of the program's
 * first experiment.
 */
u32 programs_number(const struct session *session, u32 experiment);

/*
 * The name of an experiment's program, without directories: of its executable or, if
 * that is not known, its argument 0; else "<unknown>".
 */
const char *programs_name(const struct experiment *experiment);

#endif
