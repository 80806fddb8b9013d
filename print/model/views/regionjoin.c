/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/regionjoin.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/views/index.h"

static void
add_up(const struct regions *regions, struct region_join *join)
{
    for (u32 i = join->count - 1; i; i--) {
        values_add(&join->all[i], &join->self[i]);
        values_add(&join->all[regions->region[i].parent], &join->all[i]);
    }
}

int
regionjoin_make(struct session *session, const struct regions *regions,
                struct region_join *out)
{
    struct index_def def = { { "REGIONID" }, INDEX_REGION, INDEX_RECORDS };
    struct region_join join = { .count = regions->count };
    struct index_rows rows = { 0 };
    struct filter_error error;
    int ret;

    join.self = calloc(join.count, sizeof(*join.self));
    join.all = calloc(join.count, sizeof(*join.all));
    ret = join.self && join.all ? 0 : -ENOMEM;
    if (ret == 0)
        ret = index_build(session, &def, &rows, &error);
    for (u32 i = 0; i < rows.count; i++) {
        const struct index_row *row = &rows.row[i];
        u64 at = row->key.known ? (u64)row->key.v[0] : 0;

        if (at < join.count)
            values_add(&join.self[at], &row->value);
    }
    index_free(&rows);
    if (ret < 0) {
        regionjoin_free(&join);
        return ret;
    }
    add_up(regions, &join);
    *out = join;
    return 0;
}

void
regionjoin_free(struct region_join *join)
{
    free(join->self);
    free(join->all);
    *join = (struct region_join){ .count = 0 };
}
