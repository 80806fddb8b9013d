/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manage/eligible.h"
#include "manage/jobpart.h"
#include "manage/options.h"
#include "manage/place.h"
#include "manage/tree.h"
#include "manage/unite.h"
#include "share/err.h"
#include "share/experiment.h"

static int
copy_part(const struct jobparts *parts, const struct jobpart *part, int copy)
{
    struct place from;
    int ret = -EIO;

    if (place_open_in(&from, &parts->source[part->source], part->name) == 0)
        ret = tree_copy(&from, copy, part->name);
    place_close(&from);
    return ret;
}

/*
 * Add the parts of the other founders to the copy, which has those of the first
 * already.
 */
static int
add_others(int copy, void *context)
{
    const struct jobparts *parts = context;
    int ret = 0;

    for (u32 i = 0; i < parts->count && ret == 0; i++)
        if (parts->part[i].source > 0)
            ret = copy_part(parts, &parts->part[i], copy);
    for (u32 i = 1; i < parts->sources && ret == 0; i++) {
        int from = place_directory(&parts->source[i]);

        ret = from < 0 ? from : unite_archives(from, copy);
        if (from >= 0)
            close(from);
    }
    return ret;
}

static bool
may_be_target(const struct place *to)
{
    if (to->kind != PLACE_NONE)
        err_warn("%s is there already", to->shown);
    else if (!place_ends(to->name, EXPERIMENT_SUFFIX))
        err_warn("%s: the name of an experiment must end in %s", to->shown,
                 EXPERIMENT_SUFFIX);
    else
        return true;
    return false;
}

static bool
may_be_source(const struct place *from, const struct place *to, bool force)
{
    if (!eligible(from, force))
        return false;
    if (from->kind == PLACE_GROUP)
        err_warn("%s is a group: name its experiments", from->shown);
    else if (place_holds(from, to->parent))
        err_warn("%s cannot be gathered into itself", from->shown);
    else
        return true;
    return false;
}

static int
gather(struct jobparts *parts, const struct place *to, bool force)
{
    int ret;

    if (!may_be_target(to))
        return 1;
    for (u32 i = 0; i < parts->sources; i++)
        if (!may_be_source(&parts->source[i], to, force) || jobparts_add(parts, i))
            return 1;
    if (!jobparts_fit(parts))
        return 1;
    ret = tree_copy_and(&parts->source[0], to->parent, to->name, add_others, parts);
    if (ret == 0)
        jobparts_missing(parts);
    else if (ret != -EINTR)
        err_warn("%s cannot be made: %s", to->shown, strerror(-ret));
    return ret < 0;
}

int
gather_all(int count, char **words, bool force)
{
    struct jobparts parts = { 0 };
    struct place *places;
    int failed = 0, opened = 0;

    if (count < 2)
        err_die(TOOL_USAGE, "name what is to be gathered, and where to");
    places = calloc((size_t)count, sizeof(*places));
    if (!places)
        err_die(TOOL_FAILED, "no memory is left");
    while (!failed && opened < count) {
        failed = place_open(&places[opened], words[opened]);
        opened++;
    }
    parts.source = places;
    parts.sources = (u32)count - 1;
    tree_signals();
    if (!failed)
        failed = gather(&parts, &places[count - 1], force);
    jobparts_free(&parts);
    while (opened > 0)
        place_close(&places[--opened]);
    free(places);
    tree_end_by_signal();
    return failed ? TOOL_FAILED : TOOL_DONE;
}
