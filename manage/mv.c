/* SPDX-License-Identifier: Apache-2.0 */
/*
 * er_mv: moves and renames experiments.
 */
#include <errno.h>

#include "manage/carry.h"
#include "manage/options.h"
#include "manage/tree.h"

static void
parse_option(void *context, int letter, const char *value)
{
    struct carry *c = context;

    (void)value;
    c->force |= letter == 'f';
}

/*
 * Move an experiment. If the destination is on another file system, copy it, and remove
 * the original when the copy is complete.
 */
static int
move(const struct place *from, int parent, const char *name)
{
    int ret = tree_rename(from->parent, from->name, parent, name);

    if (ret != -EXDEV)
        return ret;
    ret = tree_copy(from, parent, name);
    return ret == 0 ? tree_remove(from) : ret;
}

int
main(int argc, char **argv)
{
    struct carry c = { .experiment = move, .moves = true };
    int first = options_read("er_mv", argc, argv, parse_option, &c);

    return carry_all(&c, argc - first, argv + first);
}
