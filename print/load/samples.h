/* SPDX-License-Identifier: Apache-2.0 */
/* Sample points: how much of each resource the process had used at certain moments. */
#ifndef ERTOOLS_PRINT_LOAD_SAMPLES_H
#define ERTOOLS_PRINT_LOAD_SAMPLES_H

#include <stdbool.h>

#include "print/base/problems.h"
#include "print/load/record/records.h"
#include "share/record.h"
#include "share/types.h"

/*
 * The values of a sample point; bit SAMPLE_user etc. of `known` says that a value is
 * known.
 */
enum sample_value {
    SAMPLE_user,
    SAMPLE_system,
    SAMPLE_minflt,
    SAMPLE_majflt,
    SAMPLE_nvcsw,
    SAMPLE_nivcsw,
    SAMPLE_inblock,
    SAMPLE_oublock,
    SAMPLE_rss,
    SAMPLE_maxrss,
    SAMPLE_threads,
    SAMPLE_handlers,
    SAMPLE_VALUES,
};

struct sample_row {
    u64 mono;   /* CLOCK_MONOTONIC ns */
    u32 cause;  /* enum er_cause */
    u32 thread; /* who took it, 0 = the launcher */
    u32 known;  /* bit per enum sample_value */
    u64 value[SAMPLE_VALUES]; /* units as in records.def: ns, counts, bytes */
    char *label;              /* "" = none */
};

struct samples {
    struct sample_row *row; /* sorted by mono */
    u32 count;
};

/* Read the sample points. 0 or -ENOMEM; damage is reported in the source's problems. */
int samples_read(struct samples *out, const struct record_source *source);
void samples_free(struct samples *samples);

/* "start", "periodic", ...; "?" for an unknown one. */
const char *sample_cause_name(u32 cause);

#endif
