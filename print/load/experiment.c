/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/experiment.h"

#include <stdio.h>
#include <string.h>

char *
experiment_file_path(const struct experiment *e, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", e->path, name) < 0 ? NULL : path;
}

const char *
experiment_base(const struct experiment *e)
{
    const char *slash = strrchr(e->path, '/');

    return slash ? slash + 1 : e->path;
}

bool
experiment_is_sub_name(const char *name)
{
    return name[0] == '_' || !strncmp(name, "M_", 2);
}

bool
experiment_is_requested(const struct experiment *e, enum er_file file)
{
    for (int i = 0; i < TRACE_COUNT; i++)
        if (er_traces[i].file == file)
            return log_fact(&e->log, "collect", er_traces[i].name) != NULL;
    if (file == FILE_hwcounters)
        return log_has_counter_hits(&e->log);
    /* The collector makes these files without being asked, so they may be missing. */
    return file != FILE_heapend && file != FILE_madecode && file != FILE_regions &&
           file != FILE_objects;
}

bool
experiment_clocked(const struct experiment *e)
{
    const char *ns = log_fact(&e->log, "collect", "clock_ns");

    /* If all counters were refused, the collector has started a clock instead. */
    return !ns || strcmp(ns, "0") != 0 || log_find_event(&e->log, "sources");
}

u64
experiment_since(const struct experiment *e, u64 mono)
{
    return mono > e->origin_mono ? mono - e->origin_mono : 0;
}
