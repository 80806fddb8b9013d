/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/objmode.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Mark the objects with that name; returns how many there are. */
static u32
mark(const struct shell *sh, const char *name, bool *marked)
{
    bool all = !strcasecmp(name, "all");
    struct object_info o;
    u32 found = 0;

    for (u32 i = 1; i < object_count(sh->session); i++) {
        object_get(sh->session, i, &o);
        if (!all && strcmp(o.name, name) && strcmp(o.path, name))
            continue;
        marked[i] = true;
        found++;
    }
    return found + all;
}

int
objmode_set(struct shell *sh, const char *list, enum object_mode mode, int others)
{
    u32 count = object_count(sh->session);
    bool *marked = mem_realloc(NULL, count + 1);
    char *names = mem_strdup(list), *rest = names, *name;
    int bad = 0;

    memset(marked, 0, count + 1);
    while (!bad && (name = strsep(&rest, ",")))
        if (!mark(sh, name, marked))
            bad = shell_fail(sh, "there is no load object \"%s\"", name);
    for (u32 i = 1; i < count && !bad; i++) {
        if (marked[i])
            hide_set_mode(sh->session, i, mode);
        else if (others >= 0)
            hide_set_mode(sh->session, i, (enum object_mode)others);
    }
    free(names);
    free(marked);
    return bad;
}
