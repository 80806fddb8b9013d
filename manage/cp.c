/* SPDX-License-Identifier: Apache-2.0 */
/*
 * er_cp: copies experiments.
 */
#include "manage/carry.h"
#include "manage/options.h"
#include "manage/tree.h"

static void
take(void *context, int letter, const char *value)
{
    struct carry *c = context;

    (void)value;
    c->force |= letter == 'f';
}

int
main(int argc, char **argv)
{
    struct carry c = { .experiment = tree_copy };
    int first = options_read("er_cp", argc, argv, take, &c);

    return carry_all(&c, argc - first, argv + first);
}
