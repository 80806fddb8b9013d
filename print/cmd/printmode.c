/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/absent.h"

int
cmd_printmode(struct shell *sh, int argc, char **argv)
{
    const char *mode = argv[1];

    (void)argc;
    if (!strcasecmp(mode, "text")) {
        sh->export = export_text;
    } else if (!strcasecmp(mode, "json")) {
        sh->export = export_json;
    } else if (strlen(mode) == 1 && *mode != '"' && *mode != '\n' && *mode != '\r') {
        sh->export = export_separated;
        sh->separator = *mode;
    } else if (!strcmp(mode, "\\t")) {
        sh->export = export_separated;
        sh->separator = '\t';
    } else {
        if (absent_why(ABSENT_FORM, mode, strlen(mode)))
            return shell_fail(sh, "there is no form \"%s\": %s", mode,
                              absent_why(ABSENT_FORM, mode, strlen(mode)));
        return shell_fail(sh, "\"%s\" is not text, json or one character", mode);
    }
    return 0;
}
