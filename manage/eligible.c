/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/eligible.h"

#include <string.h>

#include "manage/writer.h"
#include "share/err.h"
#include "share/experiment.h"

/* Is it a sub-experiment, such as _x1.er or M_r1.er in the directory of its founder? */
static bool
is_sub(const struct place *p)
{
    return (p->name[0] == '_' || !strncmp(p->name, "M_", 2)) &&
           place_has(p->parent, EXPERIMENT_LOG);
}

bool
eligible(const struct place *p, bool force)
{
    unsigned pid;

    if (p->is_link) {
        err_warn("%s is a symbolic link: name what it leads to", p->shown);
        return false;
    }
    if (p->kind == PLACE_GROUP)
        return true;
    if (p->kind == PLACE_NONE) {
        err_warn("%s is not there", p->shown);
        return false;
    }
    if (p->kind != PLACE_EXPERIMENT) {
        err_warn("%s is neither an experiment (.er) nor a group of them (.erg)",
                 p->shown);
        return false;
    }
    if (is_sub(p)) {
        err_warn("%s is part of the experiment in which it lies: name that", p->shown);
        return false;
    }
    pid = force ? 0 : writer_find(p);
    if (!pid)
        return true;
    err_warn("%s is still being written (process %u); -f takes it nevertheless",
             p->shown, pid);
    return false;
}
