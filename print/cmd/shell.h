/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state that commands have in common: experiments, settings, output; and how a
 * command reports that it failed. Ordinary process context, one thread.
 */
#ifndef ERTOOLS_PRINT_CMD_SHELL_H
#define ERTOOLS_PRINT_CMD_SHELL_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "print/cmd/command.h"
#include "print/cmd/mspec.h"
#include "print/export/export.h"
#include "print/export/table.h"
#include "print/model/filter/filter.h"
#include "print/model/session.h"

enum compare_mode {
    COMPARE_OFF, /* all experiments summed up */
    COMPARE_ON,
    COMPARE_DELTA,
    COMPARE_RATIO,
};

enum {
    FRAGMENT_MAX = 64, /* functions of a stack fragment */
};

struct index_type; /* cmd/indextype.h */
struct reported; /* how many of an experiment's problems were reported */

struct shell {
    const char *program; /* name of the program, in front of messages */
    struct session *session;
    struct mspec metrics, dmetrics;
    struct order sort, dsort;
    bool own_metrics, own_sort; /* an rc file or a command has set them */
    u32 fragment[FRAGMENT_MAX]; /* what csingle and its like show, callers first */
    u32 nfragment;
    struct index_type *types; /* index and memory objects that were defined */
    u32 ntypes;
    enum compare_mode compare;
    u64 limit; /* most rows of a list, 0 = all */
    u64 sthresh, dthresh; /* percent from which on source, disasm mark a line as hot */
    bool hex;             /* disasm shows the instructions' bytes */
    bool no_source;       /* disasm shows no source lines */
    export_fn *export;
    char separator;
    FILE *out;
    const struct export_form *form; /* how text is written; NULL: as the screen says */
    struct screen *screen; /* NULL: output does not go to a terminal */
    const char *file; /* file of the command; NULL = the command line */
    unsigned line;
    const struct command *command; /* the one that runs, NULL = none */
    int depth;                     /* how deeply scripts run scripts */
    bool rc;                       /* an rc file is being read */
    bool failed;                   /* some command failed */
    bool quit;
    bool stop; /* a setting failed, so later output would not be what was asked for */
    bool bare;        /* commands need no experiment: there is a load object */
    bool interactive; /* commands come from a terminal */
    bool unpaged;     /* what is long does not go to a pager */
    volatile sig_atomic_t interrupted; /* stop what is being shown */
    char *select[FILTER_PARTS]; /* lists as the user typed them; NULL = all */
    struct suppressions *suppressions; /* of leaks; NULL = the built-in ones */
    struct reported *reported;
    u32 nreported;
};

/* Fill *sh with the settings at the start. 0 or -ENOMEM. */
int shell_start(struct shell *sh);

/* Close and free all that *sh has. Returns 0, or -errno if output was lost. */
int shell_end(struct shell *sh);

/* Report on stderr that the command failed, and why; returns 1. */
int shell_fail(struct shell *sh, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Report something on stderr. */
void shell_note(struct shell *sh, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Call this before writing a message to stderr: it flushes standard output, so that the
 * order is kept if both go to the same place.
 */
void shell_make_way(const struct shell *sh);

/*
 * Report what is wrong with a text at a column (from 1), and mark the place; returns 1.
 */
int shell_fail_at(struct shell *sh, const char *text, u32 column, const char *sentence);

/* Report an error of the model (-errno) in a sentence about `what`; returns 1. */
int shell_fail_errno(struct shell *sh, int err, const char *what);

/* Write the tables of a list as the settings say, and free them. Returns 0 or 1. */
int shell_show(struct shell *sh, struct table *t);

/*
 * Get how many of `rows` rows the limit allows. The number of the others is stored in
 * the table.
 */
u32 shell_limit(const struct shell *sh, struct table *t, u32 rows);

/*
 * Use the terminal (pager, colours and so on), if standard output is one or if commands
 * come from one. Call once, before there is output.
 */
void shell_use_terminal(struct shell *sh);

/* The command line's commands are done: wait until the user has read the output. */
void shell_end_turn(struct shell *sh);

/* Send output to a file; "-" = standard output. mode: "w" or "a". Returns 0 or 1. */
int shell_output(struct shell *sh, const char *file, const char *mode);

/* Load the experiments for which `name` stands. Returns 0, or 1 after a message. */
int shell_add(struct shell *sh, const char *name);

/*
 * Drop the experiment with that name; or, if it is a number, with that id. Returns 0 or
 * 1.
 */
int shell_drop(struct shell *sh, const char *name);

/* Drop the experiment with that index, which must exist. */
void shell_forget(struct shell *sh, u32 index);

/* Report on stderr the problems of experiments that were not reported yet. */
void shell_report_problems(struct shell *sh);

/*
 * Find the function named argv[1]; if there are several, number argv[2] of them (by
 * default 1). Returns 0 and *function, or 1 after a message.
 */
int shell_function(struct shell *sh, int argc, char **argv, u32 *function);

/*
 * Get the metric by which rows are sorted; if that is none, the one at the start. Of a
 * ratio, get the numerator.
 */
enum metric shell_metric(const struct shell *sh);

/* Parse a whole number within [0, max]. Returns 0, or 1 after a message. */
int shell_number(struct shell *sh, const char *text, u64 max, u64 *number);

#endif
