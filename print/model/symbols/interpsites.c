/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/interpsites.h"

#include <errno.h>
#include <string.h>

#include "print/model/symbols/functions.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/object.h"
#include "print/model/symbols/stacknodes.h"

/* Stands for a code object whose record is missing, or that could not be recorded. */
static const struct recorded_code nameless = { .name = "", .file = "" };

int
interpsites_of(struct session *session, u32 experiment, u64 place, u32 *site)
{
    struct experiment *e = session->experiment[experiment];
    u32 id = (u32)(place >> CODE_INDEX_BITS), number;
    u32 index = (u32)(place & ((1u << CODE_INDEX_BITS) - 1));
    const struct recorded_code *row;

    if (experiment_codes(e) < 0)
        return -ENOMEM;
    row = codes_find(&e->codes, id);
    if (interp_number(session, experiment, row ? row : &nameless, &number) < 0)
        return -ENOMEM;
    return sites_of(&session->stacks->sites, session->interp->code[number].object,
                    code_place(number, index), false, site);
}

static const char *
outermost(struct session *session, u32 site)
{
    const struct site_frame *frames;
    u32 depth;

    if (sites_frames(session, &session->stacks->sites, site, &frames, &depth) < 0)
        return "";
    return session->functions->function[frames[0].func].linkage;
}

/* Is `linkage` that name, or that name with a compiler's suffix, such as ".cold"? */
static bool
is_name(const char *linkage, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(linkage, name, len) && (!linkage[len] || linkage[len] == '.');
}

bool
interpsites_is_eval(struct session *session, u32 site)
{
    struct site *s = &session->stacks->sites.site[site];

    if (!s->eval) {
        const char *linkage = outermost(session, site);
        bool is = is_name(linkage, "_PyEval_EvalFrameDefault");

        s = &session->stacks->sites.site[site];
        s->eval = is ? 1 : 2;
        if (is)
            session->objects->object[s->object].interpreter = true;
    }
    return s->eval == 1;
}

bool
interpsites_is_internal(struct session *session, u32 site)
{
    u32 object = session->stacks->sites.site[site].object;
    const struct object *o = &session->objects->object[object];
    const char *linkage;

    if (!o->interpreter)
        return false;
    if (!strncmp(o->name, "python", 6) || !strncmp(o->name, "libpython", 9))
        return true;
    /* The interpreter is linked into a program: decide by the function's name. */
    linkage = outermost(session, site);
    return !strncmp(linkage, "_Py", 3) || !strncmp(linkage, "Py", 2) ||
           !strncmp(linkage, "_TAIL_CALL_", 11);
}

bool
interpsites_is_start(struct session *session, u32 site, bool within)
{
    const char *linkage = outermost(session, site);

    return !strncmp(linkage, "__libc_start", 12) ||
           (within && !strncmp(linkage, "<static>", 8));
}
