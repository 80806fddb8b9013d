/* SPDX-License-Identifier: Apache-2.0 */
/*
 * er_rm: removes experiments.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manage/eligible.h"
#include "manage/group.h"
#include "manage/options.h"
#include "manage/place.h"
#include "manage/tree.h"
#include "share/err.h"

static bool force;

static void
parse_option(void *context, int letter, const char *value)
{
    (void)context, (void)value;
    force |= letter == 'f';
}

static int
remove_experiment(const struct place *p)
{
    int ret = tree_remove(p);

    if (ret < 0)
        err_warn("%s cannot be removed: %s", p->shown, strerror(-ret));
    return ret < 0;
}

/* Remove a member of a group. 0 also if it does not exist any more. */
static int
remove_member(const struct place *group, const struct group *g, u32 index)
{
    char *path = group_path(group, g, index);
    struct place p;
    int failed = 1;

    if (path && access(path, F_OK) < 0 && errno == ENOENT) {
        free(path);
        return 0;
    }
    if (path) {
        failed = place_open(&p, path) || !eligible(&p, force);
        if (!failed && p.kind == PLACE_GROUP) {
            err_warn("%s: a group cannot be a member of another", p.shown);
            failed = 1;
        }
        failed = failed || remove_experiment(&p);
        place_close(&p);
    }
    free(path);
    return failed;
}

static int
remove_group(const struct place *p)
{
    struct group g = { 0 };
    int failed = 0, ret = group_read(p, &g);

    for (u32 i = 0; ret == 0 && i < g.count && !tree_signal; i++)
        failed |= remove_member(p, &g, i);
    if (ret == 0 && !failed && !tree_signal && unlinkat(p->parent, p->name, 0) < 0)
        ret = -errno;
    if (ret < 0)
        err_warn("%s cannot be removed: %s", p->shown, strerror(-ret));
    if (failed)
        err_warn("the group %s stays, as members of it do", p->shown);
    group_free(&g);
    return ret < 0 || failed;
}

int
main(int argc, char **argv)
{
    int i = options_read("er_rm", argc, argv, parse_option, NULL), failed = 0;

    if (i == argc)
        err_die(TOOL_USAGE, "no experiment is named; er_rm --help tells more");
    tree_signals();
    for (; i < argc && !tree_signal; i++) {
        struct place p;

        if (place_open(&p, argv[i]))
            failed = 1;
        else if (force && p.kind == PLACE_NONE)
            ; /* with -f, that is no error */
        else if (!eligible(&p, force))
            failed = 1;
        else
            failed |= p.kind == PLACE_GROUP ? remove_group(&p) : remove_experiment(&p);
        place_close(&p);
    }
    tree_end_by_signal();
    return failed ? TOOL_FAILED : TOOL_DONE;
}
