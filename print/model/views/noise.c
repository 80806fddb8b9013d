/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/noise.h"

#include "print/model/views/index.h"

bool
noise_concerns(enum metric metric)
{
    return metric == METRIC_totalcpu || metric == METRIC_user ||
           metric == METRIC_system;
}

int
noise_measure(struct session *session, struct noise *out)
{
    struct index_def def = { { "WEIGHT" }, INDEX_PLAIN, INDEX_MOMENTS };
    double square[2] = { 0 }, sum[2] = { 0 };
    struct filter_error error;
    struct index_rows rows;
    int ret = index_build(session, &def, &rows, &error);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < rows.count; i++) {
        const struct index_row *row = &rows.row[i];
        double weight = (double)row->key.v[0];

        for (u32 k = 0; k < 2 && row->key.known; k++) {
            double time = (double)row->value.v[k ? METRIC_system : METRIC_user];

            sum[k] += time;
            square[k] += time * weight;
        }
    }
    index_free(&rows);
    out->user = sum[0] > 0 ? square[0] / sum[0] : 0;
    out->system = sum[1] > 0 ? square[1] / sum[1] : 0;
    return 0;
}

double
noise_variance(const struct noise *noise, const struct values *values,
               enum metric metric)
{
    double user = (double)values->v[METRIC_user] * noise->user;
    double system = (double)values->v[METRIC_system] * noise->system;
    double sum = 0;

    if (metric == METRIC_totalcpu || metric == METRIC_user)
        sum += user > 0 ? user : 0;
    if (metric == METRIC_totalcpu || metric == METRIC_system)
        sum += system > 0 ? system : 0;
    return sum;
}
