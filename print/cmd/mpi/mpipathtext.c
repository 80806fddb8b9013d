/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mpi/mpipathtext.h"

#include <stdlib.h>

#include "print/model/symbols/frametext.h"
#include "share/mpicall.h"

/* The text for a function: its name, and where it is declared. */
static const char *
function_text(struct shell *sh, struct table *t, u32 func)
{
    struct function_info info;
    struct stack_frame frame = { .func = func };
    const char *copy = "";
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    function_get(sh->session, func, &info);
    frame.object = info.object;
    frame.file = info.file;
    frame.line = info.line;
    if (f)
        frametext_put(sh->session, &frame, f);
    if (f && !fclose(f))
        copy = arena_strdup(&t->arena, text);
    free(text);
    return copy;
}

const char *
mpipathtext_place(struct shell *sh, struct table *t, const struct mpi_paths *paths,
                  u32 path)
{
    const struct mpi_path *p = &paths->path[path];
    const char *name = mpicall_name(p->call);

    if (!p->call)
        return function_text(sh, t, p->func);
    if (!name)
        name = "MPI";
    if (!p->parent)
        return name;
    return arena_printf(&t->arena, "%s in %s", name,
                        function_text(sh, t, paths->path[p->parent].func));
}

void
mpipathtext_fill(struct shell *sh, struct table *t, u32 column,
                 const struct mpi_paths *paths, u32 path)
{
    for (; path; path = paths->path[path].parent) {
        const struct mpi_path *p = &paths->path[path];
        const char *name = p->call ? mpicall_name(p->call) : NULL;

        if (p->call)
            table_line(t, column, name ? name : "MPI");
        else
            table_line(t, column, function_text(sh, t, p->func));
    }
}
