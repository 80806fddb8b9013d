/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"
#include "print/model/findings/findings.h"

struct view {
    struct table *t;
    u32 kind, title, text, command, field[FIND_FIELDS];
};

static void
add_columns(struct view *v, const char *command)
{
    static const struct {
        const char *key, *unit;
        enum column_type type;
    } fields[FIND_FIELDS] = {
        [FIND_NAME] = { "name", "", COL_TEXT },
        [FIND_PLACE] = { "place", "", COL_TEXT },
        [FIND_BY] = { "by", "", COL_TEXT },
        [FIND_TIME] = { "time", "sec.", COL_NS },
        [FIND_SHARE] = { "share", "%", COL_PERCENT },
        [FIND_COUNT] = { "count", "", COL_COUNT },
        [FIND_BYTES] = { "bytes", "byte", COL_COUNT },
    };
    struct table *t = v->t = table_new(command, LAYOUT_PROSE);

    v->kind = table_column(t, "kind", "Kind", "", COL_TEXT, COL_DATA_ONLY);
    v->title = table_column(t, "title", "", "", COL_TEXT, COL_TEXT_ONLY);
    v->text = table_column(t, "text", "Finding", "", COL_TEXT, 0);
    v->command = table_column(t, "command", "Command", "", COL_TEXT, 0);
    for (u32 i = FIND_NAME; i < FIND_FIELDS; i++)
        v->field[i] = table_column(t, fields[i].key, fields[i].key, fields[i].unit,
                                   fields[i].type, COL_DATA_ONLY);
}

static void
add_row(const struct view *v, const struct finding *f)
{
    table_row(v->t, 0);
    table_text(v->t, v->kind, finding_names[f->kind]);
    table_text(v->t, v->title, finding_titles[f->kind]);
    table_text(v->t, v->text, f->sentence);
    if (*f->command)
        table_text(v->t, v->command, f->command);
    for (u32 i = FIND_NAME; i < FIND_FIELDS; i++) {
        if (!f->has[i])
            continue;
        if (i < FIND_TIME)
            table_text(v->t, v->field[i], f->text[i]);
        else if (i == FIND_SHARE)
            table_real(v->t, v->field[i], f->number[i]);
        else
            table_number(v->t, v->field[i], (u64)f->number[i]);
    }
}

/* Add a row that says how to see more, for people. */
static void
add_hint(const struct shell *sh, const struct view *v)
{
    table_row(v->t, ROW_NOTE);
    table_text(v->t, v->title, "More");
    if (sh->interactive)
        table_text(v->t, v->text, "In brackets: the command that shows more; help "
                                  "lists all.");
    else
        table_format(v->t, v->text,
                     "In brackets: the command that shows more, er_print -COMMAND %s",
                     sh->session->experiment[0]->path);
}

int
cmd_summary(struct shell *sh, int argc, char **argv)
{
    struct findings findings;
    struct view v;
    int err = findings_get(sh->session, &findings);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "the summary cannot be made");
    add_columns(&v, argv[0]);
    for (u32 i = 0; i < findings.count; i++)
        add_row(&v, &findings.row[i]);
    if (sh->export == export_text)
        add_hint(sh, &v);
    findings_free(&findings);
    return shell_show(sh, v.t);
}
