/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/words.h"
#include "print/base/progress.h"
#include "print/model/recorded.h"

enum { SCRIPT_DEPTH = 16 };

static bool
is_number(const char *s)
{
    return *s && s[strspn(s, "0123456789")] == '\0';
}

/*
 * The user has typed a function's name without quotes: join its words, except a number
 * at the end. The caller frees the result.
 */
static char *
join_name(int *n, char **v)
{
    int last = *n > 2 && is_number(v[*n - 1]) ? *n - 1 : *n;
    size_t size = 1;
    char *name;

    for (int i = 1; i < last; i++)
        size += strlen(v[i]) + 1;
    name = mem_realloc(NULL, size);
    *name = '\0';
    for (int i = 1; i < last; i++) {
        strcat(name, i > 1 ? " " : "");
        strcat(name, v[i]);
    }
    v[1] = name;
    if (last < *n)
        v[2] = v[last];
    *n = last < *n ? 3 : 2;
    v[*n] = NULL;
    return name;
}

static int
check(struct shell *sh, const struct command *c, int args)
{
    if (sh->rc && !(c->flags & CMD_RC))
        return shell_fail(sh, "cannot stand in an rc file");
    if (!sh->rc && c->flags & CMD_RC_ONLY)
        return shell_fail(sh, "can only stand in an rc file");
    if (args < command_min_args(c))
        return shell_fail(sh, "needs %s", c->args);
    if (args > command_max_args(c))
        return *c->args ? shell_fail(sh, "takes no more than %s", c->args)
                        : shell_fail(sh, "takes no argument");
    if (!(c->flags & CMD_BARE) && !sh->bare && !sh->session->nexperiments)
        return shell_fail(sh, "no experiment is loaded");
    return 0;
}

/*
 * Get the files that a command must read, a bit for each. Commands that show functions,
 * calls and code, but not the summary, need only the files of the metrics that they
 * show or sort by. A ratio that is shown needs all files.
 */
static u32
files_wanted(const struct shell *sh, const struct command *c)
{
    u32 files = recorded_files(shell_metric(sh));

    if (c->run == cmd_summary || (c->group != GROUP_FUNCTIONS &&
                                  c->group != GROUP_CALLS && c->group != GROUP_CODE))
        return UINT32_MAX;
    if (sh->sort.by == ORDER_METRIC)
        files |= recorded_files(metric_sum(sh->sort.metric));
    for (u32 i = 0; i < sh->metrics.n; i++) {
        const struct mspec_item *item = &sh->metrics.item[i];

        if (item->kind != MSPEC_METRIC)
            continue;
        if (metric_is_ratio(item->metric))
            return UINT32_MAX;
        files |= recorded_files(item->metric);
    }
    return files;
}

int
run_words(struct shell *sh, int n, char **v)
{
    const struct command *outer = sh->command, *c;
    char error[1024], *name = NULL;
    int bad;

    sh->command = NULL;
    if (!outer && sh->interactive)
        sh->stop = false;
    c = command_find(v[0], error, sizeof(error));
    if (!c) {
        bad = shell_fail(sh, "%s", error);
        sh->command = outer;
        return bad;
    }
    sh->command = c;
    if (command_needs_name(c) && n > 2)
        name = join_name(&n, v);
    if (!outer)
        progress_turn(true);
    sh->session->wanted = files_wanted(sh, c);
    bad = check(sh, c, n - 1) || c->run(sh, n, v);
    if (!outer)
        progress_turn(false);
    free(name);
    if (bad && !sh->rc && command_is_setting(c))
        sh->stop = true;
    shell_report_problems(sh);
    sh->command = outer;
    return bad;
}

/*
 * If the last argument of the line's command is the rest of the line, get the number of
 * words before it; else 0.
 */
static int
words_before_rest(const char *line)
{
    const struct command *c;
    char word[64], error[1024];
    size_t n;

    line += strspn(line, " \t");
    n = strcspn(line, " \t\r\n");
    if (n >= sizeof(word))
        return 0;
    memcpy(word, line, n);
    word[n] = '\0';
    c = command_find(word, error, sizeof(error));
    return c && c->flags & CMD_REST ? command_max_args(c) : 0;
}

int
run_line(struct shell *sh, const char *line)
{
    struct words w;
    const char *error;
    int bad = 0, plain = words_before_rest(line);

    bad = plain ? words_split_rest(&w, line, plain, &error)
                : words_split(&w, line, &error);
    if (bad)
        return shell_fail(sh, "%s", error);
    if (w.n)
        bad = run_words(sh, w.n, w.v);
    words_free(&w);
    return bad;
}

int
run_stream(struct shell *sh, FILE *f, const char *name)
{
    const char *file = sh->file;
    unsigned line = sh->line, number = 0;
    char *text = NULL;
    size_t size = 0;
    int bad = 0;

    while (!sh->quit && !sh->stop && words_read_line(f, &text, &size, &number)) {
        sh->file = name;
        sh->line = number;
        bad |= run_line(sh, text);
    }
    if (ferror(f))
        bad |= shell_fail(sh, "%s cannot be read: %s", name, strerror(errno));
    free(text);
    sh->file = file;
    sh->line = line;
    return bad;
}

int
run_file(struct shell *sh, const char *name)
{
    FILE *f;
    int bad;

    if (!strcmp(name, "-"))
        return run_stream(sh, stdin, "standard input");
    if (sh->depth == SCRIPT_DEPTH)
        return shell_fail(sh, "%s: scripts call each other too deep", name);
    f = fopen(name, "re");
    if (!f)
        return shell_fail(sh, "%s cannot be read: %s", name, strerror(errno));
    sh->depth++;
    bad = run_stream(sh, f, name);
    sh->depth--;
    fclose(f);
    return bad;
}

int
cmd_script(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    sh->command = NULL; /* commands of the script fail under their own names */
    return run_file(sh, argv[1]);
}
