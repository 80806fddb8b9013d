/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/absent.h"

static const struct form {
    const char *name;
    export_fn *export;
} forms[] = {
#define ER_EXPORT(name, doc) { #name, export_##name },
#include "print/exports.def"
#undef ER_EXPORT
};

/*
 * The form with that name; NULL: none. "separated" is not found here: a separator
 * chooses it.
 */
static export_fn *
find_form(const char *name)
{
    for (u32 i = 0; i < ER_COUNT(forms); i++)
        if (!strcasecmp(name, forms[i].name) && forms[i].export != export_separated)
            return forms[i].export;
    return NULL;
}

int
cmd_printmode(struct shell *sh, int argc, char **argv)
{
    const char *mode = argv[1], *why = absent_why(ABSENT_FORM, mode, strlen(mode));
    bool one = strlen(mode) == 1 && *mode != '"' && *mode != '\n' && *mode != '\r';
    export_fn *form = find_form(mode);

    (void)argc;
    if (form) {
        sh->export = form;
        return 0;
    }
    if (one || !strcmp(mode, "\\t") || !strcasecmp(mode, "csv")) {
        sh->export = export_separated;
        sh->separator = one ? *mode : *mode == '\\' ? '\t' : ',';
        return 0;
    }
    if (why)
        return shell_fail(sh, "there is no form \"%s\": %s", mode, why);
    return shell_fail(sh, "\"%s\" is not text, json, csv or one character", mode);
}
