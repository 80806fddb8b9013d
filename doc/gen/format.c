/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the tables of the format manuals from share/'s .def files: `gen_format md` for
 * EXPERIMENT-FORMAT.md, `gen_format mdoc` for ertools-experiment.5. Both pages have
 * them between two lines of comment; a test compares.
 */
#include <stdio.h>
#include <string.h>

#include "share/logxml.h"
#include "share/record.h"

/* How one of the two languages writes things. */
struct style {
    const char *file;   /* name, layout, doc */
    const char *record; /* name, number, doc */
    const char *fields_start;
    const char *field; /* name, encoding, unit, doc */
    const char *fields_end;
    const char *events_start;
    const char *event; /* id, kind, text */
    const char *events_end;
};

static const struct style markdown = {
    "\n### `%s` (%s)\n\n%s.\n",
    "\n**%s**, kind %u: %s.\n\n",
    "| field | encoding | unit | meaning |\n| --- | --- | --- | --- |\n",
    "| `%s` | %s | %s | %s |\n",
    "",
    "\n### Events\n\n| id | kind | sentence |\n| --- | --- | --- |\n",
    "| `%s` | %s | %s |\n",
    "",
};

static const struct style mdoc = {
    ".Ss %s (%s)\n%s.\n",
    ".Pp\nRecord\n.Sy %s ,\nkind %u: %s.\n",
    ".Bl -tag -width system_last -compact\n",
    ".It Cm %s\n%s, %s: %s.\n",
    ".El\n",
    ".Ss Events of log.xml\n.Bl -tag -width perf_denied -compact\n",
    ".It Cm %s\n%s: %s.\n",
    ".El\n",
};

/* The formats are the two sets above. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void
put_record(const struct style *style, const struct er_record_desc *r)
{
    printf(style->record, r->name, r->number, r->doc);
    fputs(style->fields_start, stdout);
    for (u32 i = 0; i < r->nfields; i++) {
        const struct er_field_desc *f = &r->fields[i];

        printf(style->field, f->name, er_encoding_names[f->encoding],
               *f->unit ? f->unit : "spare", f->doc);
    }
    fputs(style->fields_end, stdout);
}

static void
put_file(const struct style *style, int file)
{
    static const char *const layouts[] = { "chunks", "rows" };
    const struct er_file_desc *f = &er_files[file];

    printf(style->file, f->name, layouts[f->layout], f->doc);
    for (int i = 0; i < REC_COUNT; i++)
        if ((int)er_records[i].file == file)
            put_record(style, &er_records[i]);
}

int
main(int argc, char **argv)
{
    const struct style *style =
        argc > 1 && !strcmp(argv[1], "mdoc") ? &mdoc : &markdown;

    for (int i = 0; i < FILE_COUNT; i++)
        put_file(style, i);
    fputs(style->events_start, stdout);
    for (int i = 0; i < EVENT_COUNT; i++)
        printf(style->event, er_events[i].name, er_event_kinds[er_events[i].kind],
               er_events[i].text);
    fputs(style->events_end, stdout);
    return 0;
}
