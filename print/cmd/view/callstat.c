/* SPDX-License-Identifier: Apache-2.0 */
/* The command `calls`: calls of the functions that the user has named (-T). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/shell.h"
#include "print/cmd/stackcell.h"
#include "print/model/call/callbuild.h"
#include "print/model/call/callsum.h"
#include "print/model/lookup/callvalue.h"
#include "print/model/filter/filter.h"
#include "print/model/symbols/stacks.h"

enum {
    SLOW_ROWS = 20, /* without a limit */
};

struct view {
    struct shell *sh;
    const char *command;
    const char *word; /* the argument to sum up by; NULL = by function */
    struct calls calls;
    struct table *t;
    u32 count, time, share, bar, self, mean, p99, longest, errors, left, slots, name,
        key;
};

static void
columns(struct view *v)
{
    struct table *t = v->t;

    v->count = table_column(t, "count", "Calls", "", COL_COUNT, 0);
    v->time = table_column(t, "time", "Time", "ms", COL_REAL, 0);
    v->self = table_column(t, "self", "Self", "ms", COL_REAL, COL_DETAIL);
    v->share = table_column(t, "share", "", "%", COL_PERCENT, COL_JOINED | COL_DETAIL);
    v->bar = table_column(t, "bar", "", "", COL_BAR, COL_TEXT_ONLY);
    v->mean = table_column(t, "mean", "Mean", "us", COL_REAL, COL_DETAIL);
    v->p99 = table_column(t, "p99", "p99", "us", COL_REAL, COL_DETAIL);
    v->longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
    v->errors = table_column(t, "errors", "Errors", "", COL_COUNT, COL_SPARSE);
    v->left = table_column(t, "left", "Not\nreturned", "", COL_COUNT, COL_SPARSE);
    v->slots = table_column(t, "slots", "Slots", "", COL_COUNT, COL_DETAIL);
    v->name = table_column(t, "name", "Function", "", COL_TEXT, 0);
    if (v->word)
        v->key = table_column(t, "argument", v->word, "", COL_TEXT, COL_BEGINNING);
}

static void
fill(const struct view *v, const struct call_sum *s, u64 self)
{
    struct table *t = v->t;

    table_row(t, s->self * 5 >= self && self ? ROW_HOT : 0);
    table_number(t, v->count, s->count);
    table_real(t, v->time, (double)s->time / 1e6);
    if (self) {
        table_real(t, v->share, 100.0 * (double)s->self / (double)self);
        table_real(t, v->bar, (double)s->self / (double)self);
    }
    table_real(t, v->self, (double)s->self / 1e6);
    if (s->count) {
        table_real(t, v->mean, (double)s->time / 1e3 / (double)s->count);
        table_real(t, v->p99, (double)s->p99 / 1e3);
        table_real(t, v->longest, (double)s->longest / 1e3);
    }
    table_number(t, v->errors, s->failed);
    table_number(t, v->left, s->left);
    table_number(t, v->slots, v->calls.name[s->name].slots);
    table_text(t, v->name, v->calls.name[s->name].name);
    if (v->word)
        table_text(t, v->key, s->key);
}

/* Did some process find the function, so that its calls could be recorded? */
static bool
was_found(const struct calls *c, const char *name, size_t len)
{
    for (u32 i = 0; i < c->names; i++)
        if (strlen(c->name[i].name) == len && !memcmp(c->name[i].name, name, len))
            return true;
    return false;
}

/* Where a word ends; blanks within parentheses and braces are parts of it. */
static const char *
skip_word(const char *at)
{
    u32 depth = 0;

    for (; *at && (depth || *at != ' '); at++) {
        depth += *at == '(' || *at == '{';
        depth -= depth && (*at == ')' || *at == '}');
    }
    return at;
}

static const char *
skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

/* Where a row ends, which may contain blanks: NAME (TYPE, ...) -> TYPE bad(<0) */
static const char *
skip_row(const char *at)
{
    const char *next;

    at += strcspn(at, " (");
    if (*skip_blanks(at) == '(')
        at = skip_word(skip_blanks(at));
    next = skip_blanks(at);
    if (!strncmp(next, "->", 2))
        at = skip_word(skip_blanks(next + 2));
    next = skip_blanks(at);
    if (!strncmp(next, "ok(", 3) || !strncmp(next, "bad(", 4))
        at = skip_word(next);
    return skip_blanks(at);
}

/*
 * Write the functions that the user has asked for and that were not found: those in
 * rows, and plain names. Tables and files are not checked, as nobody expects to find
 * all that is in them.
 */
static void
put_missing(const struct view *v, const char *asked, FILE *out)
{
    asked = skip_blanks(asked);
    while (*asked) {
        size_t len = strcspn(asked, " (");

        if (*asked == '@' || memchr(asked, '/', len) ||
            (len > 6 && !memcmp(asked + len - 6, ".calls", 6))) {
            asked = skip_blanks(asked + len + (len == 0));
            continue;
        }
        if (!was_found(&v->calls, asked, len))
            fprintf(out, "%s%.*s", ftell(out) ? ", " : "", (int)len, asked);
        asked = skip_row(asked);
    }
}

static void
add_missing(const struct view *v)
{
    const struct experiment *e = v->sh->session->experiment[0];
    const char *asked = log_fact(&e->log, "collect", "call");
    char *names = NULL;
    size_t size;
    FILE *out = asked ? open_memstream(&names, &size) : NULL;

    if (!out)
        return;
    put_missing(v, asked, out);
    if (!fclose(out) && *names)
        table_fact(v->t, "not_found", "Named, but called through no slot (calls bound "
                                      "inside a library: collect -h uprobe/LIB:NAME/)",
                   arena_printf(&v->t->arena, "%s", names));
    free(names);
}

static int
show_sums(struct view *v)
{
    struct call_sums sums;
    u64 self = 0;
    u32 called = 0, shown;
    int ret = callsum_build(&v->calls, v->word, &sums);

    if (ret == -ENOENT)
        return shell_fail(v->sh, "no function that was called has the argument '%s': "
                                 "a name of its type, a number from 1, or result",
                          v->word);
    if (ret < 0)
        return shell_fail_errno(v->sh, ret, "calls cannot be summed up");
    v->t = table_new(v->command, LAYOUT_COLUMNS);
    if (v->word)
        table_title(v->t, "Calls by function and argument %s, by time", v->word);
    else
        table_title(v->t, "Calls by function, by time");
    columns(v);
    /* Functions that nobody called come last. */
    for (u32 i = 0; i < sums.count; i++) {
        self += sums.sum[i].self;
        called += sums.sum[i].count != 0;
    }
    if (called < sums.count)
        table_fact(v->t, "not_called",
                   filter_is_set(v->sh->session)
                       ? "Functions that were found, without a call that passes"
                       : "Functions that were found, and not called",
                   arena_printf(&v->t->arena, "%u", sums.count - called));
    if (!v->word)
        add_missing(v);
    shown = shell_limit(v->sh, v->t, called);
    for (u32 i = 0; i < shown; i++)
        fill(v, &sums.sum[i], self);
    callsum_free(&sums);
    return shell_show(v->sh, v->t);
}

static int
compare_duration(const void *a, const void *b)
{
    const struct call_made *x = *(const struct call_made *const *)a;
    const struct call_made *y = *(const struct call_made *const *)b;

    if (x->took != y->took)
        return x->took < y->took ? 1 : -1;
    return x < y ? -1 : x > y;
}

static int
show_call(struct view *v, const struct call_made *m, u32 at, const u32 *column)
{
    char *text = callvalue_call(&v->calls, m);
    const struct experiment *e = v->sh->session->experiment[m->experiment];
    u32 node;
    int err;

    if (!text)
        return 1;
    table_row(v->t, 0);
    table_format(v->t, column[0], "Call %u", at + 1);
    table_text(v->t, column[1], text);
    table_real(v->t, column[2], (double)m->took / 1e3);
    table_real(v->t, column[3], (double)m->self / 1e3);
    table_number(v->t, column[4], m->since - (m->took < m->since ? m->took : m->since));
    if (m->slot)
        table_number(v->t, column[5], e->threads.row[m->slot - 1].id);
    table_text(v->t, column[6], e->path);
    free(text);
    if (stacks_of(v->sh->session, m->experiment, m->node, &node) < 0)
        return 1;
    err = stackcell_fill(v->sh, v->t, column[7], node);
    return err;
}

static int
show_slow(struct view *v)
{
    const struct call_made **order = malloc((v->calls.count + 1) * sizeof(*order));
    u64 limit = v->sh->limit ? v->sh->limit : SLOW_ROWS;
    u32 column[8];
    int err = 0;

    if (!order)
        return shell_fail_errno(v->sh, -ENOMEM, "calls cannot be shown");
    for (u64 i = 0; i < v->calls.count; i++)
        order[i] = &v->calls.made[i];
    if (v->calls.count > 1)
        qsort(order, v->calls.count, sizeof(*order), compare_duration);
    v->t = table_new(v->command, LAYOUT_BLOCKS);
    table_title(v->t, "The slowest calls");
    column[0] = table_column(v->t, "heading", "Call", "", COL_TEXT, 0);
    column[1] = table_column(v->t, "call", "Call", "", COL_TEXT, 0);
    column[2] = table_column(v->t, "took", "Took", "us", COL_REAL, 0);
    column[3] = table_column(v->t, "self", "Self", "us", COL_REAL, 0);
    column[4] = table_column(v->t, "since", "Began", "sec.", COL_NS, 0);
    column[5] = table_column(v->t, "thread", "Thread", "", COL_COUNT, 0);
    column[6] = table_column(v->t, "experiment", "", "", COL_TEXT, COL_DATA_ONLY);
    column[7] = table_column(v->t, "stack", "Stack", "", COL_LIST, 0);
    for (u64 i = 0; i < v->calls.count && i < limit && !err; i++)
        err = show_call(v, order[i], (u32)i, column);
    free(order);
    if (!err)
        return shell_show(v->sh, v->t);
    table_free(v->t);
    return shell_fail(v->sh, "no memory is left");
}

int
cmd_calls(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh, .command = argv[0] };
    int slow = argc == 2 && !strcmp(argv[1], "slow"), ret;

    if (argc == 3 && !strcmp(argv[1], "by"))
        v.word = argv[2];
    else if (argc > 1 && !slow)
        return shell_fail(sh, "calls shows functions; 'by' and an argument; or 'slow'");
    ret = callbuild(sh->session, &v.calls);
    if (ret < 0)
        return shell_fail_errno(sh, ret, "calls cannot be read");
    if (!v.calls.recorded) {
        calls_free(&v.calls);
        return shell_fail(sh, "no experiment has calls of named functions (collect -T "
                              "records them)");
    }
    ret = slow ? show_slow(&v) : show_sums(&v);
    calls_free(&v.calls);
    return ret;
}
