/* SPDX-License-Identifier: Apache-2.0 */
/* The commands filters and describe. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/filter/filtertoken.h"

/* Does any experiment have the data to which a word of filters refers? */
static bool
is_there(const struct session *session, const struct token_desc *token)
{
    struct token_source s;

    if (!*token->source)
        return token->kind != TOKEN_IS_FIELD;
    for (u32 e = 0; e < session->nexperiments; e++) {
        const char *source = token->source;

        while (filter_token_source(&source, &s) == 0) {
            struct record_source heap;

            /* There is no record `block`: blocks are made from heap records. */
            if (!strcmp(s.record, "block") &&
                experiment_source(session->experiment[e], FILE_heaptrace, &heap) == 0)
                return true;
            for (u32 f = 0; f < FILE_COUNT; f++) {
                struct record_source file;
                const struct schema_record *record;

                if (experiment_source(session->experiment[e], f, &file) < 0)
                    continue;
                record = schema_find_record(file.schema, s.record);
                if (record && schema_find_field(record, s.field) >= 0)
                    return true;
            }
        }
    }
    return false;
}

/* Add the names of labels, which are words of filters, too; each name once. */
static void
add_labels(const struct session *session, struct table *t, u32 name, u32 there, u32 doc)
{
    for (u32 e = 0; e < session->nexperiments; e++) {
        const struct labels *l = experiment_labels(session->experiment[e], false);

        if (!session->experiment[e]->is_founder)
            continue;
        for (u32 i = 0; i < l->count; i++) {
            const char *label = l->row[i].name;

            if (labels_find(l, 0, label, strlen(label)) < i)
                continue;
            table_row(t, 0);
            table_text(t, name, label);
            table_number(t, there, true);
            table_text(t, doc, *l->row[i].doc ? l->row[i].doc : "a label");
        }
    }
}

/* Add the word NAME("REGEX"), which stands for a set of values of a token. */
static void
add_call(const struct session *session, struct table *t, const u32 *column,
         const char *name, enum filter_token token, const char *doc)
{
    table_row(t, 0);
    table_format(t, column[0], "%s(\"REGEX\")", name);
    table_number(t, column[1], is_there(session, &filter_tokens[token]));
    table_text(t, column[2], doc);
}

int
cmd_describe(struct shell *sh, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u32 name = table_column(t, "name", "Word", "", COL_TEXT, 0);
    u32 there = table_column(t, "there", "In the data", "", COL_BOOL, 0);
    u32 doc = table_column(t, "doc", "What it is", "", COL_TEXT, 0);
    const u32 column[] = { name, there, doc };

    (void)argc;
    table_title(t, "Words of filters");
    table_fact(t, "filter", "Filter", filter_text(sh->session, FILTER_EXPRESSION));
    for (u32 i = 0; i < TOKEN_COUNT; i++) {
        table_row(t, 0);
        table_text(t, name, filter_tokens[i].name);
        table_number(t, there, is_there(sh->session, &filter_tokens[i]));
        table_text(t, doc, filter_tokens[i].doc);
    }
    add_call(sh->session, t, column, "FNAME", TOKEN_STACK,
             "functions whose whole name fits");
    add_call(sh->session, t, column, "DNAME", TOKEN_DOBJ,
             "data objects, the same; alone: is it one of these?");
    add_call(sh->session, t, column, "FILEIOVFD", TOKEN_IOVFD,
             "numbers of files, the same");
    add_labels(sh->session, t, name, there, doc);
    return shell_show(sh, t);
}

int
cmd_filters(struct shell *sh, int argc, char **argv)
{
    const char *text = strcasecmp(argv[1], "all") ? argv[1] : NULL;
    struct filter_error error;
    int err = filter_set(sh->session, FILTER_EXPRESSION, text, &error);

    (void)argc;
    if (err == -EINVAL)
        return shell_fail_at(sh, argv[1], error.column, error.text);
    return err ? shell_fail_errno(sh, err, "the filter cannot be set") : 0;
}
