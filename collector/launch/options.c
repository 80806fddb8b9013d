/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collector/launch/calls.h"
#include "collector/launch/rank.h"
#include "collector/launch/status.h"
#include "collector/launch/value.h"
#include "share/err.h"

/*
 * A handler takes the option's argument. It returns NULL, or a phrase that says what
 * the argument should be.
 */
typedef const char *parser(struct request *request, const char *value);

static const char *
parse_clock(struct request *r, const char *value)
{
    r->clock_given = 1;
    r->wall = !strncmp(value, "wall", 4) && (!value[4] || value[4] == ',');
    if (r->wall)
        value = value[4] ? value + 5 : "on";
    if (r->wall && !strcmp(value, "off"))
        value = "";
    switch (value_interval(value, &r->clock_ns)) {
    case 0:
        return NULL;
    case -ERANGE:
        return "an interval from 1 us to 1 s";
    default:
        return "off, on, lo, hi, a number of ms (5, 2.5m) or us (500u), wall or wall,N";
    }
}

static const char *
parse_period(struct request *r, const char *value)
{
    switch (value_period(value, &r->sample_ns)) {
    case 0:
        return NULL;
    case -ERANGE:
        return "a period from 0.01 to 86400 seconds";
    default:
        return "on, off or a number of seconds";
    }
}

static const char *
want_signal(const char *value, int *sig)
{
    switch (value_signal(value, sig)) {
    case 0:
        return NULL;
    case -ERANGE:
        return "a signal that can be given away (not KILL, STOP, URG or a fault's)";
    default:
        return "a signal's name or number";
    }
}

static const char *
parse_sample_signal(struct request *r, const char *value)
{
    return want_signal(value, &r->sample_signal);
}

static const char *
parse_pause_signal(struct request *r, const char *value)
{
    char name[32];
    size_t len = strcspn(value, ",");
    const char *wrong;

    if (len >= sizeof(name) || (value[len] && strcmp(value + len, ",r") != 0))
        return "a signal's name or number, then nothing or ,r";
    memcpy(name, value, len);
    name[len] = '\0';
    wrong = want_signal(name, &r->pause_signal);
    if (!wrong)
        r->paused = !value[len];
    return wrong;
}

static const char *
parse_window(struct request *r, const char *value)
{
    switch (value_window(value, &r->begin_ns, &r->end_ns)) {
    case 0:
        r->window = 1;
        return NULL;
    case -ERANGE:
        return "a time above 0, or an end after the beginning";
    default:
        return "a time like 30, 30s or 2m, or two like 10-40";
    }
}

static const char *
parse_follow(struct request *r, const char *value)
{
    regex_t regex;

    r->follow = strcmp(value, "off") != 0;
    r->follow_only = NULL;
    if (!r->follow || !strcmp(value, "on") || !strcmp(value, "all"))
        return NULL;
    if (*value != '=' || regcomp(&regex, value + 1, REG_EXTENDED | REG_NOSUB))
        return "on, off, all or = and a regular expression";
    regfree(&regex);
    r->follow_only = value + 1;
    return NULL;
}

static const char *
parse_archive(struct request *r, const char *value)
{
    static const char *const modes[] = { "on", "copy", "src" };

    r->archive = NULL;
    if (!strcmp(value, "off"))
        return NULL;
    for (size_t i = 0; i < ER_COUNT(modes); i++)
        if (!strcmp(value, modes[i]))
            r->archive = modes[i];
    return r->archive ? NULL : "on, off, copy or src";
}

static const char *
parse_name(struct request *r, const char *value)
{
    const char *slash = strrchr(value, '/');
    size_t len = strlen(slash ? slash + 1 : value);

    r->name = value;
    return len > 3 && !strcmp(value + strlen(value) - 3, ".er")
               ? NULL
               : "a name that ends in .er";
}

static const char *
parse_directory(struct request *r, const char *value)
{
    r->directory = value;
    return *value ? NULL : "a directory";
}

static const char *
parse_group(struct request *r, const char *value)
{
    size_t len = strlen(value);

    r->group = value;
    return len > 4 && !strcmp(value + len - 4, ".erg") ? NULL
                                                       : "a name that ends in .erg";
}

static const char *
parse_limit(struct request *r, const char *value)
{
    return value_megabytes(value, &r->limit_mb) ? "a whole number of megabytes above 0"
                                              : NULL;
}

static const char *
parse_output(struct request *r, const char *value)
{
    r->output = value;
    return *value ? NULL : "a file";
}

static const char *
parse_comment(struct request *r, const char *value)
{
    if (r->ncomments == REQUEST_COMMENTS)
        return "to be given at most 10 times";
    r->comments[r->ncomments++] = value;
    return NULL;
}

static const char *
on_or_off(const char **trace, const char *value)
{
    *trace = strcmp(value, "on") ? NULL : value;
    return *trace || !strcmp(value, "off") ? NULL : "on or off";
}

static const char *
parse_heap(struct request *r, const char *value)
{
    if (!strcmp(value, "noscan")) {
        r->trace[TRACE_heap] = value;
        return NULL;
    }
    return on_or_off(&r->trace[TRACE_heap], value) ? "on, noscan or off" : NULL;
}

/* Keep the names only: plan.c resolves them, when the machine's counters are known. */
static const char *
parse_counters(struct request *r, const char *value)
{
    if (!value) {
        r->list_counters = 1;
        return NULL;
    }
    if (r->ncounters == ER_COUNTERS)
        return "to be given at most 8 times";
    r->counters[r->ncounters++] = value;
    return *value ? NULL : "names of counters (collect -h lists them)";
}

static const char *
parse_branches(struct request *r, const char *value)
{
    char *end;

    r->branches = strcmp(value, "off") ? value : NULL;
    if (!r->branches || counter_interval(PACE_OFTEN, value))
        return NULL;
    return isdigit((unsigned char)*value) && strtoull(value, &end, 10) && !*end
               ? NULL
               : "on, off, lo, hi or a number of cycles";
}

static const char *
parse_sync(struct request *r, const char *value)
{
    r->trace[TRACE_sync] = strcmp(value, "off") ? value : NULL;
    switch (value_threshold(value, &r->sync_all, &r->sync_ns)) {
    case 0:
        return NULL;
    case -ERANGE:
        return "a time up to a day";
    default:
        return "on, off, all or a number of us";
    }
}

static const char *
parse_io(struct request *r, const char *value)
{
    return on_or_off(&r->trace[TRACE_io], value);
}

static const char *
parse_calls(struct request *r, const char *value)
{
    const char *wrong = calls_add(&r->call_rows, value);

    if (!wrong && calls_append(&r->calls, value) < 0)
        wrong = "less: there is no memory";
    if (!wrong)
        r->trace[TRACE_call] = r->calls;
    return wrong;
}

static const char *
parse_made(struct request *r, const char *value)
{
    if (strchr(value, '/')) {
        r->java = value;
        return NULL;
    }
    r->jit = !strcmp(value, "jit");
    r->no_java = !strcmp(value, "off");
    return r->jit || !strcmp(value, "on") || !strcmp(value, "off")
               ? NULL
               : "jit, on or off, or the path of a Java machine";
}

static const char *
parse_arguments(struct request *r, const char *value)
{
    if (r->njava_arguments == REQUEST_COMMENTS)
        return "to be given ten times at most";
    r->java_arguments[r->njava_arguments++] = value;
    return NULL;
}

static const char *
parse_without(struct request *r, const char *value)
{
    if (strcmp(value, "omp"))
        return "omp";
    r->no_omp = 1;
    return NULL;
}

static const char *
parse_kernel(struct request *r, const char *value)
{
    if (strcmp(value, "on") && strcmp(value, "off"))
        return "on or off";
    r->kernel = !strcmp(value, "on");
    return NULL;
}

static const char *
parse_attach(struct request *r, const char *value)
{
    char *end;
    long pid = strtol(value, &end, 10);

    r->pid = (int)pid;
    return *value && !*end && pid > 0 && pid <= INT_MAX ? NULL : "a process id";
}

static const char *
parse_dry(struct request *r, const char *value)
{
    (void)value;
    r->dry = 1;
    return NULL;
}

static const char *
parse_verbose(struct request *r, const char *value)
{
    (void)value;
    r->verbose = 1;
    return NULL;
}

static const char *
parse_version(struct request *r, const char *value)
{
    (void)value;
    r->version = 1;
    return NULL;
}

static const char *
parse_mpi(struct request *r, const char *value)
{
    r->mpi_given = 1;
    return on_or_off(&r->trace[TRACE_mpi], value);
}

static const char *
parse_ranks(struct request *r, const char *value)
{
    /*
     * These names are accepted because users know them. The collector itself finds out
     * at run time which MPI it is.
     */
    static const char *const mpis[] = { "OMPT",    "OPENMPI", "CT",    "MPICH",
                                        "MPICH2",  "MPICH3",  "MPT",   "INTEL",
                                        "MVAPICH", "MVAPICH2" };

    r->ranks_given = 1;
    r->ranks = strcmp(value, "off") != 0;
    if (!r->ranks || !strcmp(value, "on"))
        return NULL;
    for (size_t i = 0; i < ER_COUNT(mpis); i++)
        if (!strcasecmp(value, mpis[i]))
            return NULL;
    return "on, off or the name of an MPI";
}

static const char *
parse_stopped(struct request *r, const char *value)
{
    (void)value;
    r->stopped = 1;
    return NULL;
}

/*
 * Options that this version does not have. Only "off" is accepted, since nothing is on.
 */
static const char *
parse_later(struct request *r, const char *value)
{
    (void)r;
    return value && !strcmp(value, "off") ? NULL : "";
}

const struct option_row option_rows[] = {
#define ER_OPTION(letter, argument, handler, help, man) { letter, argument, help, man },
#include "collector/launch/options.def"
#undef ER_OPTION
};

const int option_count = ER_COUNT(option_rows);

static parser *const parsers[] = {
#define ER_OPTION(letter, argument, handler, help, man) parse_##handler,
#include "collector/launch/options.def"
#undef ER_OPTION
};

/* 1 if this version does not support the option. */
static int
is_later(int row)
{
    return parsers[row] == parse_later;
}

static int
find(char letter)
{
    for (int i = 0; i < option_count; i++)
        if (option_rows[i].letter == letter)
            return i;
    return -1;
}

static int
unknown(const char *word, char letter)
{
    if (letter == '-')
        err_warn("there is no option %s; --help lists them", word);
    else
        err_warn("there is no option -%c; --help lists them", letter);
    return STATUS_USAGE;
}

/*
 * Apply one option. value: NULL = it has none, or the command line ended. 0 or an exit
 * status.
 */
static int
apply(struct request *request, int row, const char *value)
{
    const struct option_row *o = &option_rows[row];
    const char *wrong;

    if (*o->argument && !value && !is_later(row) && o->letter != 'h') {
        err_warn("-%c wants an argument: %s", o->letter, o->argument);
        return STATUS_USAGE;
    }
    wrong = parsers[row](request, value);
    if (!wrong)
        return 0;
    if (is_later(row))
        err_warn("-%c (%s) is not supported by this version", o->letter, o->help);
    else
        err_warn("-%c wants %s, and got '%s'", o->letter, wrong, value);
    return STATUS_USAGE;
}

/*
 * Read one word of options, such as `-nvp10`. *at: the word's index, which moves past
 * the word and its argument. 0 or an exit status.
 */
static int
word(int argc, char **argv, int *at, struct request *request)
{
    const char *text = argv[(*at)++];

    for (const char *p = text + 1; *p; p++) {
        int row = find(*p);
        int status;

        if (row < 0)
            return unknown(text, *p);
        if (!*option_rows[row].argument) {
            status = apply(request, row, NULL);
            if (status)
                return status;
            continue;
        }
        if (p[1])
            return apply(request, row, p + 1);
        return apply(request, row, *at < argc ? argv[(*at)++] : NULL);
    }
    return 0;
}

static int
traces_any(const struct request *r)
{
    for (int i = 0; i < TRACE_COUNT; i++)
        if (r->trace[i])
            return 1;
    return 0;
}

/*
 * Refuse options that cannot be given with -P, since collect does not start the
 * process.
 */
static int
consistent_attach(const struct request *r)
{
    const char *what = NULL;

    if (r->target)
        what = "a target";
    else if (r->stopped)
        what = "-x";
    else if (r->ranks)
        what = "-M";
    if (!what && r->wall && (r->trace[TRACE_sync] || r->trace[TRACE_io])) {
        err_warn("-P with -p wall excludes -s and -i: both replace the same calls");
        return STATUS_USAGE;
    }
    if (!what)
        return 0;
    err_warn("-P and %s exclude each other%s", what,
             r->ranks && !r->stopped && !r->target
                 ? ": -P records one process; -m records the MPI calls of a rank"
                 : "");
    return STATUS_USAGE;
}

static int
consistent(const struct request *r)
{
    if (r->pid && consistent_attach(r))
        return STATUS_USAGE;
    if (r->sample_signal && r->sample_signal == r->pause_signal) {
        err_warn("-l and -y want two different signals");
        return STATUS_USAGE;
    }
    if (r->directory && r->name && r->name[0] == '/') {
        err_warn("-o with an absolute path and -d exclude each other");
        return STATUS_USAGE;
    }
    return 0;
}

int
options_parse(int argc, char **argv, struct request *request)
{
    struct request r = { .clock_ns = CLOCK_DEFAULT,
                         .sample_ns = 1000000000,
                         .follow = 1,
                         .archive = "on" };
    int at = 1;

    while (at < argc && argv[at][0] == '-' && argv[at][1]) {
        int status;

        if (!strcmp(argv[at], "--")) {
            at++;
            break;
        }
        if (!strcmp(argv[at], "--help"))
            r.help = 1, at++;
        else if (!strcmp(argv[at], "--version"))
            r.version = 1, at++;
        else if (!strncmp(argv[at], "--debugger=", 11))
            r.debugger = argv[at++] + 11;
        else if ((status = word(argc, argv, &at, &r)))
            return status;
    }
    if (at < argc)
        r.target = argv + at;
    if (consistent(&r))
        return STATUS_USAGE;
    /* Tracing or counters without -p: record nothing by the clock. */
    if ((traces_any(&r) || r.ncounters) && !r.clock_given)
        r.clock_ns = 0;
    /*
     * Whoever asks for one of the two (an experiment for each rank, MPI calls) wants
     * both.
     */
    if (r.ranks && !r.mpi_given)
        r.trace[TRACE_mpi] = "on";
    if (r.trace[TRACE_mpi] && !r.ranks_given && !r.pid && rank_by_environ() >= 0)
        r.ranks = 1;
    *request = r;
    return 0;
}

void
options_help(void)
{
    printf("usage: collect [option...] [--] target [argument...]\n"
           "Record what target does in an experiment, for er_print to show.\n\n");
    for (int i = 0; i < option_count; i++) {
        const struct option_row *o = &option_rows[i];

        if (!is_later(i))
            printf("  -%c %-20s %s\n", o->letter, o->argument, o->help);
    }
    printf("  --%-21s %s\n\nNot supported by this version:", "help", "print this list");
    for (int i = 0; i < option_count; i++)
        if (is_later(i))
            printf(" -%c", option_rows[i].letter);
    printf("\n");
}
