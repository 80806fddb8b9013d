/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"
#include "print/cmd/shell.h"

int
cmd_version(struct shell *sh, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_PLAIN);
    u32 program = table_column(t, "program", "Program", "", COL_TEXT, 0);
    u32 package = table_column(t, "package", "Package", "", COL_TEXT, 0);
    u32 version = table_column(t, "version", "Version", "", COL_TEXT, 0);

    (void)argc;
    table_row(t, 0);
    table_text(t, program, "er_print");
    table_text(t, package, PACKAGE_NAME);
    table_text(t, version, PACKAGE_VERSION);
    return shell_show(sh, t);
}
