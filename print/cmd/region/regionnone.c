/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/region/regionnone.h"

#include "print/model/omp/omp.h"

int
regionnone_fail(struct shell *sh)
{
    struct omp omp;
    bool parallel = false;

    if (omp_get(sh->session, &omp) == 0) {
        parallel = omp.recorded;
        omp_free(&omp);
    }
    return shell_fail(sh, "the program has named no regions: it does so by calls of "
                          "libcollector.h%s",
                      parallel ? "; omp shows the parallel regions of OpenMP" : "");
}
