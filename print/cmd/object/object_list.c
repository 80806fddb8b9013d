/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/objmode.h"

int
cmd_object_list(struct shell *sh, int argc, char **argv)
{
    static const char *const modes[] = {
        [OBJECT_SHOW] = "show",
        [OBJECT_HIDE] = "hide",
        [OBJECT_API] = "api",
    };
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u32 mode = table_column(t, "mode", "Mode", "", COL_TEXT, 0);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    u32 path = table_column(t, "path", "Path", "", COL_TEXT, 0);
    u32 shown = shell_limit(sh, t, object_count(sh->session) - 1);
    struct object_info o;

    (void)argc;
    for (u32 i = 1; i <= shown; i++) {
        object_get(sh->session, i, &o);
        table_row(t, 0);
        table_text(t, mode, modes[object_get_mode(sh->session, i)]);
        table_text(t, name, o.name);
        table_text(t, path, o.path);
    }
    return shell_show(sh, t);
}
