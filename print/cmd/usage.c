/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/usage.h"

static const struct {
    const char *key, *title, *unit;
    enum column_type type;
    int level; /* it is a value at a moment, not a sum since the start */
} values[SAMPLE_VALUES] = {
    [SAMPLE_user] = { "user", "User\nCPU", "sec.", COL_NS, 0 },
    [SAMPLE_system] = { "system", "System\nCPU", "sec.", COL_NS, 0 },
    [SAMPLE_minflt] = { "minflt", "Minor\npage faults", "", COL_COUNT, 0 },
    [SAMPLE_majflt] = { "majflt", "Major\npage faults", "", COL_COUNT, 0 },
    [SAMPLE_nvcsw] = { "nvcsw", "Voluntary\nswitches", "", COL_COUNT, 0 },
    [SAMPLE_nivcsw] = { "nivcsw", "Involuntary\nswitches", "", COL_COUNT, 0 },
    [SAMPLE_inblock] = { "inblock", "Blocks\nread", "", COL_COUNT, 0 },
    [SAMPLE_oublock] = { "oublock", "Blocks\nwritten", "", COL_COUNT, 0 },
    [SAMPLE_rss] = { "rss", "Resident\nmemory", "bytes", COL_COUNT, 1 },
    [SAMPLE_maxrss] = { "maxrss", "Largest\nresident memory", "bytes", COL_COUNT, 1 },
    [SAMPLE_threads] = { "threads", "Threads", "", COL_COUNT, 1 },
    [SAMPLE_handlers] = { "handlers", "Collector's\nhandlers", "sec.", COL_NS, 0 },
};

void
usage_columns(struct usage *u, struct table *t)
{
    u->table = t;
    for (int i = 0; i < SAMPLE_VALUES; i++)
        u->column[i] = table_column(t, values[i].key, values[i].title, values[i].unit,
                                    values[i].type, 0);
}

void
usage_fill(const struct usage *u, const struct sample_row *from,
           const struct sample_row *to)
{
    for (int i = 0; i < SAMPLE_VALUES; i++) {
        int known = to->known >> i & 1;

        if (from && !values[i].level)
            known &= from->known >> i & 1;
        if (known)
            table_number(u->table, u->column[i],
                         from && !values[i].level ? to->value[i] - from->value[i]
                                                  : to->value[i]);
    }
}
