/* SPDX-License-Identifier: Apache-2.0 */
/* Reports how much CPU time the collector itself has used in the target. */
#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/views/account.h"

int
sections_cost(struct session *session, struct findings *f)
{
    u64 cost = 0;
    int64_t cpu = 0;

    for (u32 i = 0; i < session->nexperiments; i++) {
        struct account a;
        int ret = account_build(session, i, &a);

        if (ret < 0)
            return ret;
        if (a.has_kernel && a.has_handlers) {
            cost += account_cost(&a);
            cpu += a.kernel_user + a.kernel_system;
        }
        account_free(&a);
    }
    if (!cost || cpu <= 0)
        return 0;
    phrase_begin(f, FINDING_COST, "statistics");
    phrase_add(f, "Measuring used ");
    phrase_add_share(f, (double)cost, (double)cpu);
    phrase_add(f, " of the CPU time, ");
    phrase_add_time(f, cost);
    phrase_add(f, ", in its hooks and signal handlers.");
    return 0;
}
