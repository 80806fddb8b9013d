/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiclocks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int
mpiclocks_open(const struct session *session, const struct ranks *ranks,
               struct mpi_clocks *out)
{
    struct mpi_clocks c = { .hosts = ranks->hosts, .from = INT64_MAX,
                            .to = INT64_MIN };

    c.host = calloc((size_t)ranks->hosts + 1, sizeof(*c.host));
    if (!c.host)
        return -ENOMEM;
    for (u32 i = 0; i < ranks->hosts; i++)
        c.host[i].coarse = ranks->host[i].coarse;
    for (u32 i = 0; i < ranks->count; i++) {
        const struct experiment *e = session->experiment[ranks->rank[i].experiment];
        u64 coarse = (u64)c.host[ranks->rank[i].host].coarse;
        int64_t from = (int64_t)(e->start_mono + coarse);
        int64_t to = (int64_t)(e->end_mono + coarse);

        c.from = from < c.from ? from : c.from;
        c.to = to > c.to ? to : c.to;
    }
    if (ranks->count)
        c.host[ranks->rank[0].host].known = true;
    *out = c;
    return 0;
}

void
mpiclocks_free(struct mpi_clocks *c)
{
    for (u32 i = 0; i < c->hosts && c->host; i++)
        free(c->host[i].ahead);
    free(c->host);
    memset(c, 0, sizeof(*c));
}

double
mpiclocks_ahead(const struct mpi_clocks *c, const struct mpi_clock *host, double at)
{
    double length = (double)((u64)c->to - (u64)c->from);
    double slot = at / (length > 0 ? length : 1) * CLOCKFIT_SLOTS, part;
    u32 i;

    if (!(slot > 0))
        return host->ahead[0];
    if (slot >= CLOCKFIT_SLOTS)
        return host->ahead[CLOCKFIT_SLOTS];
    i = (u32)slot;
    part = slot - i;
    return host->ahead[i] + (host->ahead[i + 1] - host->ahead[i]) * part;
}

int64_t
mpiclocks_common(const struct mpi_clocks *c, u32 host, u64 mono)
{
    const struct mpi_clock *h = &c->host[host];
    u64 coarse = mono + (u64)h->coarse;
    double at = (double)(int64_t)(coarse - (u64)c->from);

    if (!h->ahead)
        return (int64_t)coarse;
    return (int64_t)(coarse -
                     (u64)(int64_t)llrint(mpiclocks_ahead(c, h, at)));
}
