/* SPDX-License-Identifier: Apache-2.0 */
/* er_cp: copies experiments, and gathers those of one job into one experiment. */
#include "manage/carry.h"
#include "manage/gather.h"
#include "manage/options.h"
#include "manage/tree.h"

struct copying {
    struct carry carry;
    bool gathers;
};

static void
parse_option(void *context, int letter, const char *value)
{
    struct copying *c = context;

    (void)value;
    c->carry.force |= letter == 'f';
    c->gathers |= letter == 'g';
}

int
main(int argc, char **argv)
{
    struct copying c = { .carry.experiment = tree_copy };
    int first = options_read("er_cp", argc, argv, parse_option, &c);

    if (c.gathers)
        return gather_all(argc - first, argv + first, c.carry.force);
    return carry_all(&c.carry, argc - first, argv + first);
}
