/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports what OpenMP threads did in parallel regions, and what a better balance would
 * save.
 */
#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/omp/omp.h"

enum {
    SAVE_SHARE = 5,   /* percent of the time of a place's regions that must be saved */
    SERIAL_SHARE = 5, /* percent of the regions' time and the serial time */
};

static void
add_total(struct findings *f, const struct omp *omp)
{
    const u64 *v = omp->total;
    double all = (double)omp_time(v);

    phrase_begin(f, FINDING_OMP, "omp");
    phrase_add_count(f, v[OMP_COUNT], "parallel region of OpenMP",
                     "parallel regions of OpenMP");
    phrase_add(f, ": of their threads' time, ");
    phrase_add_time(f, omp_time(v));
    phrase_add(f, ", ");
    phrase_add_share(f, (double)v[OMP_WORK], all);
    phrase_add(f, " is work, ");
    phrase_add_share(f, (double)omp_waits(v), all);
    phrase_add(f, " waiting and ");
    phrase_add_share(f, (double)v[OMP_OVHD], all);
    phrase_add(f, " overhead.");
}

/*
 * Report the place whose parallel regions would save most time if they were balanced.
 */
static void
add_balance(struct session *session, struct findings *f, const struct omp *omp)
{
    const struct omp_place *top = NULL;

    for (u32 i = 0; i < omp->regions; i++)
        if (!top || omp->region[i].v[OMP_SAVE] > top->v[OMP_SAVE])
            top = &omp->region[i];
    if (!top || top->v[OMP_SAVE] * 100 < top->v[OMP_ELAPSED] * SAVE_SHARE ||
        top->v[OMP_SAVE] * 100 < omp->total[OMP_ELAPSED])
        return;
    phrase_begin(f, FINDING_OMP, "omp");
    phrase_add(f, "If the threads of regions begun at ");
    phrase_add_name(f, FIND_NAME, phrase_place(f, session, top->node));
    phrase_add(f, " had equal work, they would save ");
    phrase_add_time(f, top->v[OMP_SAVE]);
    phrase_add(f, " of ");
    phrase_add_time(f, top->v[OMP_ELAPSED]);
    phrase_add(f, ".");
}

static void
add_serial(struct findings *f, const struct omp *omp)
{
    u64 serial = omp->total[OMP_SERIAL], all = serial + omp->total[OMP_ELAPSED];

    if (serial * 100 < all * SERIAL_SHARE)
        return;
    phrase_begin(f, FINDING_OMP, "omp");
    phrase_add(f, "Between parallel regions, one thread alone went on for ");
    phrase_add_time(f, serial);
    phrase_add(f, ".");
}

int
sections_regions(struct session *session, struct findings *f)
{
    struct omp omp;
    int ret = omp_get(session, &omp);

    if (ret < 0)
        return ret;
    if (omp.total[OMP_COUNT]) {
        add_total(f, &omp);
        add_balance(session, f, &omp);
        add_serial(f, &omp);
    }
    omp_free(&omp);
    return 0;
}
