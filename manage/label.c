/* SPDX-License-Identifier: Apache-2.0 */
/* er_label: gives names to intervals of a run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "manage/eligible.h"
#include "manage/group.h"
#include "manage/labelset.h"
#include "manage/options.h"
#include "manage/place.h"
#include "manage/when.h"
#include "print/load/experiment.h"
#include "print/model/filter/filtertoken.h"
#include "share/err.h"

enum {
    NAME_MOST = 64,
    TIMES_MOST = 64,
};

struct arguments {
    const char *name, *doc;
    const char *time[TIMES_MOST];
    u32 ntimes;
    const char *more[TIMES_MOST]; /* experiments given by -o */
    u32 nmore;
    bool remove, list;
};

static void
add_time(struct arguments *a, const char *value)
{
    if (a->ntimes == TIMES_MOST)
        err_die(TOOL_USAGE, "no more than %d times go into one command", TIMES_MOST);
    a->time[a->ntimes++] = value;
}

static void
add_experiment(struct arguments *a, const char *value)
{
    if (a->nmore == TIMES_MOST)
        err_die(TOOL_USAGE, "no more than %d experiments go behind -o", TIMES_MOST);
    a->more[a->nmore++] = value;
}

static void
parse_option(void *context, int letter, const char *value)
{
    struct arguments *a = context;

    switch (letter) {
    case 'n':
        a->name = value;
        break;
    case 'd':
        a->doc = value;
        break;
    case 't':
        add_time(a, value);
        break;
    case 'o':
        add_experiment(a, value);
        break;
    case 'r':
        a->remove = true;
        break;
    default:
        a->list = true;
        break;
    }
}

static bool
is_name(const char *name)
{
    size_t len = strlen(name);

    return len && len <= NAME_MOST && (name[0] < '0' || name[0] > '9') &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789_") == len;
}

static void
check(const struct arguments *a, int experiments)
{
    if (!experiments)
        err_die(TOOL_USAGE, "no experiment is named; er_label --help tells more");
    if (a->list) {
        if (a->name || a->ntimes || a->remove || a->doc)
            err_die(TOOL_USAGE, "-l goes with no other option");
        return;
    }
    if (!a->name)
        err_die(TOOL_USAGE, "-n must say the label's name");
    if (!is_name(a->name))
        err_die(TOOL_USAGE, "-n: a name is a letter, then letters, digits and _, %d "
                            "at most", NAME_MOST);
    if (filter_word_is_reserved(a->name, (u32)strlen(a->name)))
        err_die(TOOL_USAGE, "-n %s: that is a word of filters already", a->name);
    if (a->remove ? a->ntimes || a->doc : !a->ntimes && !a->doc)
        err_die(TOOL_USAGE, a->remove ? "-r goes only with -n"
                                      : "-t must say which time it is to have");
}

static u64
now_of(const struct experiment *e)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return experiment_since(e, (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec);
}

static struct when
when_of(const struct experiment *e)
{
    return (struct when){
        .start_wall = e->start_wall,
        .running = e->state == EXPERIMENT_LIVE,
        .now = e->state == EXPERIMENT_LIVE ? now_of(e) : 0,
    };
}

static int
fail_time(const struct place *p, const char *text, int err)
{
    switch (err) {
    case -ENODATA:
        err_warn("%s: -t %s: the run has ended, or has no clock: say a time from its "
                 "start", p->shown, text);
        break;
    case -ERANGE:
        err_warn("%s: -t %s: that is before the start of the run, or far behind its "
                 "end", p->shown, text);
        break;
    default:
        err_warn("-t %s: a time is such as 1.5, 200ms, 1:30, @, @-5s or "
                 "2026-01-31T12:00:05", text);
    }
    return 1;
}

/*
 * Get the moment that follows "start=" or "stop=". If only the word is given, the
 * moment is now. 0, or -errno of when_parse().
 */
static int
moment_of(const char *text, const char *word, const struct when *when, u64 *ns)
{
    const char *rest = text + strlen(word);

    return *rest ? when_parse(rest + 1, strlen(rest + 1), when, ns)
                 : when_parse("@", 1, when, ns);
}

static bool
begins(const char *text, const char *word)
{
    size_t len = strlen(word);

    return !strncmp(text, word, len) && (!text[len] || text[len] == '=');
}

/* Apply one option -t. Returns 0, or 1 after a message. */
static int
apply(struct labelset *set, const struct arguments *a, const struct place *p,
      const struct when *when, const char *text)
{
    size_t len = strcspn(text, "=");
    u64 from = 0, to = UINT64_MAX;
    int ret;

    if (begins(text, "start")) {
        ret = moment_of(text, "start", when, &from);
        return ret < 0 ? fail_time(p, text, ret)
                       : labelset_open(set, p->shown, a->name, from);
    }
    if (begins(text, "stop")) {
        ret = moment_of(text, "stop", when, &to);
        return ret < 0 ? fail_time(p, text, ret)
                       : labelset_shut(set, p->shown, a->name, to);
    }
    ret = when_parse(text, len, when, &from);
    if (ret == 0 && text[len])
        ret = when_parse(text + len + 1, strlen(text + len + 1), when, &to);
    return ret < 0 ? fail_time(p, text, ret)
                   : labelset_add(set, p->shown, a->name, from, to);
}

static int
change(struct labelset *set, const struct arguments *a, const struct place *p,
       const struct experiment *e)
{
    struct when when = when_of(e);

    set->from = e->start_mono;
    set->end = e->state == EXPERIMENT_LIVE ? UINT64_MAX
                                           : experiment_since(e, e->end_mono);
    if (a->remove)
        return labelset_remove(set, p->shown, a->name);
    for (u32 i = 0; i < a->ntimes; i++)
        if (apply(set, a, p, &when, a->time[i]))
            return 1;
    return a->doc ? labelset_doc(set, p->shown, a->name, a->doc) : 0;
}

static int
fail(const struct place *p, int err)
{
    err_warn("%s: its labels cannot be written: %s", p->shown, strerror(-err));
    return 1;
}

/*
 * Change or print the labels. The caller has locked the directory, so that two programs
 * that change the labels do not lose each other's changes. 0, or 1 after a message.
 */
static int
change_locked(const struct arguments *a, const struct place *p,
              const struct experiment *e, int dir)
{
    struct labelset set;
    int ret = labelset_read(&set, dir, p->shown);

    if (ret < 0)
        return fail(p, ret);
    if (a->list) {
        labelset_print(&set, p->shown);
    } else if ((ret = change(&set, a, p, e)) == 0) {
        ret = labelset_write(&set, dir);
        ret = ret < 0 ? fail(p, ret) : 0;
    }
    labelset_free(&set);
    return ret;
}

static int
label_experiment(const struct arguments *a, const struct place *p)
{
    struct experiment *e;
    char *why = NULL;
    int dir = place_directory(p), failed;

    if (dir < 0)
        return fail(p, dir);
    if (experiment_open(&e, p->path, &why) < 0) {
        err_warn("%s", why ? why : "no memory is left");
        free(why);
        close(dir);
        return 1;
    }
    flock(dir, LOCK_EX);
    failed = change_locked(a, p, e, dir);
    experiment_close(e);
    close(dir);
    return failed;
}

static int
label_path(const struct arguments *a, const char *path, bool member)
{
    struct group g = { 0 };
    struct place p;
    int failed = place_open(&p, path) || !eligible(&p, true), ret;

    if (!failed && p.kind == PLACE_GROUP && member) {
        err_warn("%s: a group cannot be a member of another", p.shown);
        failed = 1;
    } else if (!failed && p.kind == PLACE_GROUP) {
        ret = group_read(&p, &g);
        if (ret < 0)
            failed = fail(&p, ret);
        for (u32 i = 0; i < g.count; i++) {
            char *inside = group_path(&p, &g, i);

            failed |= !inside || label_path(a, inside, true);
            free(inside);
        }
        group_free(&g);
    } else if (!failed) {
        failed = label_experiment(a, &p);
    }
    place_close(&p);
    return failed;
}

int
main(int argc, char **argv)
{
    struct arguments a = { 0 };
    int first = options_read("er_label", argc, argv, parse_option, &a), failed = 0;

    check(&a, argc - first + (int)a.nmore);
    for (u32 i = 0; i < a.nmore; i++)
        failed |= label_path(&a, a.more[i], false);
    for (int i = first; i < argc; i++)
        failed |= label_path(&a, argv[i], false);
    return failed ? TOOL_FAILED : TOOL_DONE;
}
