/* SPDX-License-Identifier: Apache-2.0 */
/* Reports what ran, how long, how it ended, and which programs it started. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/wall.h"
#include "print/model/programs.h"
#include "print/model/findings/say.h"
#include "print/model/findings/sections.h"

enum {
    RUNS_SHOWN = 4,
    PROGRAMS_SHOWN = 5,
    LEFT_NS = 100000000, /* processes that end at most this much later are not
                            reported */
};

static void
say_command(struct findings *f, const struct experiment *e)
{
    char *text = log_command(&e->log);

    say_name(f, FIND_NAME, text && *text ? text : programs_name(e));
    free(text);
}

static void
say_end(struct findings *f, const struct experiment *e)
{
    const struct log_event_row *end = log_last_event(&e->log, "end");
    const char *status = end ? log_event_attr(end, "status") : NULL;
    const struct log_event_row *machine = log_last_event(&e->log, "machine_end");
    const char *how = machine ? log_event_attr(machine, "arg1") : NULL;
    u64 sig = end ? log_event_number(end, "signal", 0) : 0;
    const char *abbreviation = sig && sig < 64 ? sigabbrev_np((int)sig) : NULL;

    if (e->state == EXPERIMENT_LIVE)
        say(f, " and is still running");
    else if (sig)
        say(f, " and was ended by signal %" PRIu64 "%s%s", sig,
            abbreviation ? ", SIG" : "", abbreviation ? abbreviation : "");
    else if (status)
        say(f, " and ended with status %s", status);
    else if (e->state == EXPERIMENT_KILLED)
        say(f, "; how it ended is not known, as no end was recorded");
    else if (how)
        say(f, "; recording ended: %s", how);
    else
        say(f, "; it went on when collect had ended");
}

/* Write what was recorded: ". Recorded: CPU time, locks, I/O." */
static void
say_recorded(struct findings *f, struct experiment *e)
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
        say(f, "%s%s", between, wall_is_there(e) ? "CPU and wall time" : "CPU time");
        between = ", ";
    }
    for (u32 i = 0; i < ER_COUNT(kinds); i++)
        if (sections_has(e, kinds[i].file)) {
            say(f, "%s%s", between, kinds[i].what);
            between = ", ";
        }
    say(f, ".");
}

/*
 * Add to the sentence which processes of the run, such as daemons, went on after its
 * first process had ended.
 */
static void
say_left(struct session *session, struct findings *f, u32 founder)
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
        say(f, "; %u of its processes still run%s", live, live == 1 ? "s" : "");
    else if (end - e->end_mono > LEFT_NS)
        say(f, "; processes that it left behind ran for %s more",
            say_seconds(f, end - e->end_mono));
}

static void
add_run(struct session *session, struct findings *f, u32 index)
{
    struct experiment *e = session->experiment[index];
    const char *cpus = log_fact(&e->log, "host", "cpus");

    say_begin(f, FINDING_RUN, "header");
    say_command(f, e);
    say(f, " ran for ");
    say_time(f, experiment_took(e));
    if (cpus)
        say(f, " on %s processor%s", cpus, strcmp(cpus, "1") ? "s" : "");
    say_end(f, e);
    say_left(session, f, index);
    say_recorded(f, e);
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
        say_begin(f, FINDING_RUN, "experiment_list");
        say(f, "And ");
        say_count(f, runs - RUNS_SHOWN, "more run.", "more runs.");
    }
    return 0;
}

static void
add_program(struct findings *f, const struct program *p, u64 total)
{
    say_begin(f, FINDING_PROGRAM, "header");
    say_name(f, FIND_NAME, p->name);
    say(f, ": ");
    say_count(f, p->processes, "process", "processes");
    if (p->cpu_known) {
        say(f, ", ");
        say_time(f, p->cpu);
        say(f, " of CPU time");
        if (total) {
            say(f, ", ");
            say_share(f, (double)p->cpu, (double)total);
        }
    }
    if (p->bad)
        say(f, "; %u did not end with status 0", p->bad);
    say(f, ".");
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
        say_begin(f, FINDING_PROGRAM, "header");
        say(f, "%u more programs: ", all.count - shown);
        say_count(f, processes, "process", "processes");
        say(f, ", ");
        say_time(f, cpu);
        say(f, " of CPU time.");
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
