/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that choose how names and tables are written, and the view. */
#include <string.h>
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/absent.h"
#include "print/model/session/sessions.h"

int
cmd_name(struct shell *sh, int argc, char **argv)
{
    static const char *const styles[] = {
        [NAME_LONG] = "long",
        [NAME_SHORT] = "short",
        [NAME_BRIEF] = "brief",
        [NAME_MANGLED] = "mangled",
    };
    size_t len = strcspn(argv[1], ":");
    const char *rest = argv[1] + len;
    int style = -1, soname = -1;

    (void)argc;
    for (int i = NAME_LONG; i <= NAME_MANGLED; i++)
        if (len == strlen(styles[i]) && !strncasecmp(argv[1], styles[i], len))
            style = i;
    if (!*rest)
        soname = sh->session->soname;
    else if (!strcasecmp(rest, ":soname"))
        soname = 1;
    else if (!strcasecmp(rest, ":nosoname"))
        soname = 0;
    if (style < 0 || soname < 0)
        return shell_fail(sh, "\"%s\" is not long, short, brief or mangled, then "
                              "perhaps :soname or :nosoname", argv[1]);
    sh->session->names = (enum name_style)style;
    sh->session->soname = soname;
    return 0;
}

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

int
cmd_viewmode(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    if (strcasecmp(argv[1], "user") && strcasecmp(argv[1], "expert") &&
        strcasecmp(argv[1], "machine"))
        return shell_fail(sh, "\"%s\" is none of user, expert, machine", argv[1]);
    sessions_view(sh->session, !strcasecmp(argv[1], "user"),
                 !strcasecmp(argv[1], "machine"));
    return 0;
}
