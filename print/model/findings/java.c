/* SPDX-License-Identifier: Apache-2.0 */
/* Reports how much Java allocated, of which class and by which method most. */
#include "print/model/classes.h"
#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/views/index.h"
#include "print/model/views/view.h"

static const struct order by_bytes = { .by = ORDER_METRIC,
                                       .metric = METRIC_javaallocbytes,
                                       .flavour = FLAVOUR_EXCLUSIVE };

static u64
value_of(const struct values *v, enum metric metric)
{
    return v->v[metric] > 0 ? (u64)v->v[metric] : 0;
}

static void
append_share(struct findings *f, const char *between, const struct values *of, u64 all)
{
    phrase_add(f, "%s", between);
    phrase_add_share(f, (double)value_of(of, METRIC_javaallocbytes), (double)all);
}

/* Add to the sentence which class has most of the bytes. */
static int
append_class(struct findings *f, struct session *session, u64 all)
{
    struct index_def def = { { "JCLASS" }, INDEX_CLASS, INDEX_ALL };
    const struct index_row *top;
    struct filter_error error;
    struct index_rows rows;
    const char *name;
    int ret = index_build(session, &def, &rows, &error);

    if (ret < 0)
        return ret;
    index_sort(&rows, &by_bytes);
    top = rows.count ? &rows.row[0] : NULL;
    name = top && top->key.known ? classes_name(session, (u64)top->key.v[0]) : NULL;
    if (name) {
        append_share(f, ", ", &top->value, all);
        phrase_add(f, " were objects of ");
        phrase_add_name(f, FIND_NAME, name);
    }
    index_free(&rows);
    return 0;
}

/* The same for the method that allocates most itself. */
static void
append_method(struct findings *f, struct session *session, const struct rows *rows,
              u64 all)
{
    if (!rows->count)
        return;
    append_share(f, ", and ", &rows->row[0].excl, all);
    phrase_add(f, " were allocated by ");
    phrase_add_function(f, session, rows->row[0].func);
}

int
sections_java(struct session *session, struct findings *f)
{
    struct rows rows;
    u64 all, live;
    int ret = 0;

    if (!sections_any(session, FILE_objects))
        return 0;
    ret = view_functions(session, &by_bytes, &rows);
    if (ret < 0)
        return ret;
    all = value_of(&rows.total.excl, METRIC_javaallocbytes);
    live = value_of(&rows.total.excl, METRIC_javalivebytes);
    if (all) {
        phrase_begin(f, FINDING_HEAP, "heap");
        phrase_add(f, "Java allocated some ");
        phrase_add_bytes(f, all);
        phrase_add(f, " in ");
        phrase_add_count(f, value_of(&rows.total.excl, METRIC_javaalloccnt), "object",
                         "objects");
        phrase_add(f, "; ");
        phrase_add_bytes(f, live);
        phrase_add(f, " of that were still live");
        ret = append_class(f, session, all);
        append_method(f, session, &rows, all);
        phrase_add(f, ".");
    }
    rows_free(&rows);
    return ret;
}
