/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a view: one function for each row of exports.def. Ordinary process context.
 * The functions only write; ferror(f) says if writing failed.
 */
#ifndef ERTOOLS_PRINT_EXPORT_EXPORT_H
#define ERTOOLS_PRINT_EXPORT_EXPORT_H

#include <stdio.h>

#include "print/export/table.h"

/* How text is written. All zero: as for a file. */
struct export_form {
    char separator; /* between values, for export_separated() */
    bool colour;    /* terminal sequences highlight what matters */
    bool bars;      /* shares are also drawn as bars */
    bool utf8;      /* characters beyond ASCII can be shown */
    u32 width;      /* columns of the screen, 0 = no limit */
    /* Called before a row is written as text, except in LAYOUT_PLAIN; or NULL. */
    void (*on_row)(void *context, const struct table *t, u32 row);
    void *context;
};

typedef void export_fn(const struct table *t, const struct export_form *form, FILE *f);

#define ER_EXPORT(name, doc) export_fn export_##name;
#include "print/exports.def"
#undef ER_EXPORT

static inline void
export_row_begins(const struct table *t, u32 row, const struct export_form *form)
{
    if (form->on_row)
        form->on_row(form->context, t, row);
}

/* Write json that says that a command failed, in place of the command's table. */
void export_json_error(const char *command, const char *sentence, FILE *f);

#endif
