/* SPDX-License-Identifier: Apache-2.0 */
/* Reports what ran, how long, how it ended, and which programs it started. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/wall.h"
#include "print/model/programs.h"
#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"

enum {
    RUNS_SHOWN = 4,
    PROGRAMS_SHOWN = 5,
    LEFT_NS = 100000000, /* processes that end at most this much later are not
                            reported */
};

static void
append_command(struct findings *f, const struct experiment *e)
{
    char *text = log_command(&e->log);

    phrase_add_name(f, FIND_NAME, text && *text ? text : programs_name(e));
    free(text);
}

/*
 * Report how a process ended for which somebody else than collect waited, in the words
 * of its log; NULL = it had not ended.
 */
static void
say_unwaited(struct findings *f, const char *how)
{
    if (how && !strcmp(how, "by itself"))
        phrase_add(f, " and ended by itself");
    else if (how && !strcmp(how, "it became another program"))
        phrase_add(f, " and became another program by exec");
    else if (how && !strcmp(how, "its parent alone knows how"))
        phrase_add(f, " and ended; its parent alone knows how");
    else
        phrase_add(f, "; it went on when collect had ended");
}

static void
append_end(struct findings *f, const struct experiment *e)
{
    const struct log_event_row *end = log_last_event(&e->log, "end");
    const char *status = end ? log_event_attr(end, "status") : NULL;
    const struct log_event_row *machine = log_last_event(&e->log, "machine_end");
    const char *how = machine ? log_event_attr(machine, "arg1") : NULL;
    u64 sig = end ? log_event_number(end, "signal", 0) : 0;
    const char *abbreviation = sig && sig < 64 ? sigabbrev_np((int)sig) : NULL;

    if (e->state == EXPERIMENT_LIVE)
        phrase_add(f, " and is still running");
    else if (sig)
        phrase_add(f, " and was ended by signal %" PRIu64 "%s%s", sig,
                   abbreviation ? ", SIG" : "", abbreviation ? abbreviation : "");
    else if (status)
        phrase_add(f, " and ended with status %s", status);
    else if (e->state == EXPERIMENT_KILLED)
        phrase_add(f, "; how it ended is not known, as no end was recorded");
    else if (how)
        phrase_add(f, "; recording ended: %s", how);
    else
        say_unwaited(f, end ? log_event_attr(end, "arg1") : NULL);
}

/* Write what was recorded: ". Recorded: CPU time, locks, I/O." */
static void
append_recorded(struct findings *f, struct experiment *e)
{
    static const struct {
        enum er_file file;
        const char *what;
    } kinds[] = {
        { FILE_hwcounters, "counters" }, { FILE_heaptrace, "the heap" },
        { FILE_synctrace, "locks" },     { FILE_iotrace, "I/O" },
        { FILE_mpitrace, "MPI" },
    };
    const char *between = ". Recorded: ";

    if (experiment_clocked(e)) {
        phrase_add(f, "%s%s", between, wall_is_there(e) ? "CPU and wall time"
                   : "CPU time");
        between = ", ";
    }
    for (u32 i = 0; i < ER_COUNT(kinds); i++)
        if (sections_has(e, kinds[i].file)) {
            phrase_add(f, "%s%s", between, kinds[i].what);
            between = ", ";
        }
    phrase_add(f, ".");
}

/*
 * Add to the sentence which processes of the run, such as daemons, continued after the
 * first process had ended.
 */
static void
append_left(struct session *session, struct findings *f, u32 founder)
{
    const struct experiment *e = session->experiment[founder];
    u64 end = e->end_mono;
    u32 live = 0;

    for (u32 i = founder; i < session->nexperiments; i++) {
        const struct experiment *other = session->experiment[i];

        if (other->founder != e->founder)
            break;
        live += other->state == EXPERIMENT_LIVE;
        if (other->end_mono > end)
            end = other->end_mono;
    }
    if (e->state == EXPERIMENT_LIVE)
        return;
    if (live)
        phrase_add(f, "; %u of its processes still run%s", live, live == 1 ? "s" : "");
    else if (end - e->end_mono > LEFT_NS)
        phrase_add(f, "; processes that it left behind ran for %s more",
                   phrase_seconds(f, end - e->end_mono));
}

static void
add_run(struct session *session, struct findings *f, u32 index)
{
    struct experiment *e = session->experiment[index];
    const char *cpus = log_fact(&e->log, "host", "cpus");

    phrase_begin(f, FINDING_RUN, "header");
    append_command(f, e);
    phrase_add(f, " ran for ");
    phrase_add_time(f, experiment_duration(e));
    if (cpus)
        phrase_add(f, " on %s processor%s", cpus, strcmp(cpus, "1") ? "s" : "");
    append_end(f, e);
    append_left(session, f, index);
    append_recorded(f, e);
}

/* Report the runs: processes that no recorded process has started. */
static int
add_runs(struct session *session, struct findings *f)
{
    u32 runs = 0;

    for (u32 i = 0; i < session->nexperiments; i++) {
        struct experiment *e = session->experiment[i];

        if (!e->is_founder && !session_new_founder(session, i))
            continue;
        if (runs++ < RUNS_SHOWN)
            add_run(session, f, i);
    }
    if (runs > RUNS_SHOWN) {
        phrase_begin(f, FINDING_RUN, "experiment_list");
        phrase_add(f, "And ");
        phrase_add_count(f, runs - RUNS_SHOWN, "more run.", "more runs.");
    }
    return 0;
}

static void
add_program(struct findings *f, const struct program *p, u64 total)
{
    phrase_begin(f, FINDING_PROGRAM, "header");
    phrase_add_name(f, FIND_NAME, p->name);
    phrase_add(f, ": ");
    phrase_add_count(f, p->processes, "process", "processes");
    if (p->cpu_known) {
        phrase_add(f, ", ");
        phrase_add_time(f, p->cpu);
        phrase_add(f, " of CPU time");
        if (total) {
            phrase_add(f, ", ");
            phrase_add_share(f, (double)p->cpu, (double)total);
        }
    }
    if (p->bad)
        phrase_add(f, "; %u did not end with status 0", p->bad);
    phrase_add(f, ".");
}

static int
add_programs(struct session *session, struct findings *f)
{
    struct programs all;
    u32 shown;
    int ret = programs_get(session, &all);

    if (ret < 0)
        return ret;
    shown = all.count > PROGRAMS_SHOWN + 1 ? PROGRAMS_SHOWN : all.count;
    for (u32 i = 0; i < shown; i++)
        add_program(f, &all.row[i], all.cpu);
    if (shown < all.count) {
        u64 cpu = 0, processes = 0;

        for (u32 i = shown; i < all.count; i++) {
            cpu += all.row[i].cpu;
            processes += all.row[i].processes;
        }
        phrase_begin(f, FINDING_PROGRAM, "header");
        phrase_add(f, "%u more programs: ", all.count - shown);
        phrase_add_count(f, processes, "process", "processes");
        phrase_add(f, ", ");
        phrase_add_time(f, cpu);
        phrase_add(f, " of CPU time.");
    }
    programs_free(&all);
    return 0;
}

int
sections_runs(struct session *session, struct findings *f)
{
    int ret = add_runs(session, f);

    if (ret == 0 && session->nexperiments > 1)
        ret = add_programs(session, f);
    return ret;
}
