/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/recorded.h"

#include <string.h>

#include "print/load/wall.h"

static const struct {
    const char *name;
    enum er_file file;
} records[] = {
#define ER_RECORD(record, file, number, doc) { #record, FILE_##file },
#define ER_FIELD(record, field, ctype, encoding, unit, doc)
#define ER_END(record)
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END
};

static u32
file_of(const char *record)
{
    for (u32 i = 0; i < ER_COUNT(records); i++)
        if (!strcmp(records[i].name, record))
            return 1u << records[i].file;
    return 0;
}

u32
recorded_files(enum metric metric)
{
    u32 files = 0;

    for (u32 i = 0; i < metric_source_count; i++)
        if (metric_sources[i].metric == metric)
            files |= file_of(metric_sources[i].record);
    return files ? files : 1u << FILE_heaptrace;
}

/* Does the metric count only time in which threads did not run? */
static bool
is_wall(enum metric metric)
{
    bool off = false;

    for (u32 i = 0; i < metric_source_count; i++) {
        if (metric_sources[i].metric != metric)
            continue;
        if (strcmp(metric_sources[i].record, "off"))
            return false;
        off = true;
    }
    return off;
}

/*
 * Why the experiment has no data for the metric: a text that names the missing option.
 * NULL if it has data, or was asked to record it.
 */
static const char *
lack_of(struct experiment *e, enum metric metric)
{
    static const struct {
        enum er_file file;
        const char *lack;
    } lacks[] = {
        { FILE_heaptrace, "recorded without -H" },
        { FILE_synctrace, "recorded without -s" },
        { FILE_iotrace, "recorded without -i" },
        { FILE_mpitrace, "recorded without -M" },
        { FILE_calltrace, "recorded without -T" },
    };
    u32 files = recorded_files(metric);
    struct record_source source;

    if (files & 1u << FILE_objects && experiment_source(e, FILE_objects, &source) < 0)
        return experiment_is_requested(e, FILE_heaptrace) ? "of programs without Java"
                                                  : "recorded without -H";
    if (files & 1u << FILE_profile) {
        if (metric == METRIC_ompwork || metric == METRIC_ompwait ||
            metric == METRIC_ompovhd)
            return log_find_event(&e->log, "openmp") ? NULL
                                                     : "of programs without OpenMP";
        if (is_wall(metric))
            return wall_is_there(e) ? NULL : "recorded without -p wall";
        return experiment_clocked(e) || wall_is_there(e) ? NULL
                                                          : "recorded with -p off";
    }
    for (u32 i = 0; i < ER_COUNT(lacks); i++)
        if (files & 1u << lacks[i].file && !experiment_is_requested(e, lacks[i].file) &&
            experiment_source(e, lacks[i].file, &source) < 0)
            return lacks[i].lack;
    return NULL;
}

const char *
recorded_lack(const struct session *session, enum metric metric)
{
    const char *lack = NULL;

    /* Counters and ratios are shown only if an experiment has them. */
    if (metric_is_ratio(metric) || metric_is_counter(metric))
        return NULL;
    for (u32 i = 0; i < session->nexperiments; i++) {
        lack = lack_of(session->experiment[i], metric);
        if (!lack)
            return NULL;
    }
    return lack;
}
