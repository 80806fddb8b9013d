/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/options.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "collector/launch/status.h"
#include "share/err.h"

static struct request request;

/* One command line, divided at blanks. */
static int
parse(const char *line)
{
    static char text[1024];
    static char *argv[64];
    int argc = 0;

    strcpy(text, line);
    for (char *p = strtok(text, " "); p; p = strtok(NULL, " "))
        argv[argc++] = p;
    argv[argc] = NULL;
    memset(&request, 0, sizeof(request));
    return options_parse(argc, argv, &request);
}

/* What is said is not looked at here. */
static void
quiet(void)
{
    err_start("collect", open("/dev/null", O_WRONLY));
}

TestSuite(options, .init = quiet);

Test(options, defaults)
{
    cr_assert_eq(parse("collect ./a -p off"), 0);
    cr_assert_eq(request.clock_ns, 10007000);
    cr_assert_eq(request.sample_ns, 1000000000);
    cr_assert_str_eq(request.archive, "on");
    cr_assert_not(request.window || request.dry || request.verbose || request.paused);
    cr_assert_str_eq(request.target[0], "./a");
    cr_assert_str_eq(request.target[1], "-p", "options end at the target");
    cr_assert_str_eq(request.target[2], "off");
    cr_assert_null(request.target[3]);
}

Test(options, ranks_come_with_their_calls)
{
    cr_assert_eq(parse("collect -M on ./a"), 0);
    cr_assert(request.ranks && request.trace[TRACE_mpi]);
    cr_assert(request.clock_ns, "the clock was not given up for it");
    cr_assert_eq(parse("collect -m off -M on ./a"), 0);
    cr_assert(request.ranks && !request.trace[TRACE_mpi], "what is given counts");
    cr_assert_eq(parse("collect -m on ./a"), 0);
    cr_assert_not(request.ranks, "this is no rank itself");
    setenv("PMI_RANK", "3", 1);
    cr_assert_eq(parse("collect -m on ./a"), 0);
    cr_assert(request.ranks);
    cr_assert_eq(parse("collect -m on -M off ./a"), 0);
    cr_assert_not(request.ranks);
    cr_assert_eq(parse("collect ./a"), 0);
    cr_assert_not(request.ranks || request.trace[TRACE_mpi]);
    unsetenv("PMI_RANK");
}

Test(options, wall_time_is_beside_an_interval)
{
    cr_assert_eq(parse("collect -p wall ./a"), 0);
    cr_assert(request.wall && request.clock_ns == 10007000);
    cr_assert_eq(parse("collect -p wall,hi ./a"), 0);
    cr_assert(request.wall && request.clock_ns == 997000);
    cr_assert_eq(parse("collect -p wall -p 5 ./a"), 0);
    cr_assert(!request.wall && request.clock_ns == 5000000, "the last one counts");
    cr_assert_neq(parse("collect -p wall,off ./a"), 0);
    cr_assert_neq(parse("collect -p wallet ./a"), 0);
}

Test(options, each_option_sets_what_it_says)
{
    cr_assert_eq(parse("collect -p hi -S 5 -l USR1 -y USR2,r -t 3-9 -A copy -o a.er"
                       " -d /tmp -g b.erg -L 50 -O c.txt -C one -C two -n -v -- ./a b"),
                 0);
    cr_assert_eq(request.clock_ns, 997000);
    cr_assert_eq(request.sample_ns, 5000000000);
    cr_assert_eq(request.sample_signal, SIGUSR1);
    cr_assert_eq(request.pause_signal, SIGUSR2);
    cr_assert_eq(request.paused, 0);
    cr_assert(request.window && request.begin_ns == 3000000000);
    cr_assert_eq(request.end_ns, 9000000000);
    cr_assert_str_eq(request.archive, "copy");
    cr_assert_str_eq(request.name, "a.er");
    cr_assert_str_eq(request.directory, "/tmp");
    cr_assert_str_eq(request.group, "b.erg");
    cr_assert_eq(request.limit_mb, 50);
    cr_assert_str_eq(request.output, "c.txt");
    cr_assert_eq(request.ncomments, 2);
    cr_assert_str_eq(request.comments[1], "two");
    cr_assert(request.dry && request.verbose);
    cr_assert_str_eq(request.target[1], "b");
}

Test(options, forms)
{
    cr_assert_eq(parse("collect -phi -nv ./a"), 0);
    cr_assert(request.clock_ns == 997000 && request.dry && request.verbose);
    cr_assert_eq(parse("collect -y USR1 ./a"), 0);
    cr_assert_eq(request.paused, 1);
    cr_assert_eq(parse("collect -A off ./a"), 0);
    cr_assert_null(request.archive);
    cr_assert_eq(parse("collect -V"), 0);
    cr_assert_eq(request.version, 1);
    cr_assert_eq(parse("collect --help"), 0);
    cr_assert_eq(request.help, 1);
    cr_assert_eq(parse("collect -- -x"), 0);
    cr_assert_str_eq(request.target[0], "-x");
    cr_assert_eq(parse("collect -"), 0);
    cr_assert_str_eq(request.target[0], "-", "a lone dash is a word");
}

Test(options, bad_ones_are_usage_errors)
{
    static const char *const bad[] = {
        "collect -p",
        "collect -p x ./a",
        "collect -S 1x ./a",
        "collect -l KILL a",
        "collect -y USR1,x a",
        "collect -t 5-4 a",
        "collect -A yes a",
        "collect -o a a",
        "collect -o .er a",
        "collect -o d/.er a",
        "collect -g a a",
        "collect -L x a",
        "collect -Z a",
        "collect --nonsense a",
        "collect -nZ a",
        "collect -l USR1 -y USR1 a",
        "collect -d d -o /x/a.er a",
        "collect -C 1 -C 2 -C 3 -C 4 -C 5 -C 6 -C 7 -C 8 -C 9 -C 10 -C 11 a",
    };

    for (size_t i = 0; i < ER_COUNT(bad); i++)
        cr_assert_eq(parse(bad[i]), STATUS_USAGE, "%s", bad[i]);
}

Test(options, tracing_alone_is_asked_for_alone)
{
    cr_assert_eq(parse("collect -H on a"), 0);
    cr_assert(request.trace[TRACE_heap] && request.clock_ns == 0);
    cr_assert_eq(parse("collect -H on -p hi a"), 0);
    cr_assert(request.trace[TRACE_heap] && request.clock_ns == 997000);
    cr_assert_eq(parse("collect -p on -H on a"), 0);
    cr_assert(request.trace[TRACE_heap] && request.clock_ns == 10007000);
    cr_assert_eq(parse("collect -H off a"), 0);
    cr_assert(!request.trace[TRACE_heap] && request.clock_ns == 10007000);
    cr_assert_eq(parse("collect -H 1 a"), STATUS_USAGE);
    cr_assert_eq(parse("collect -i on -H on a"), 0);
    cr_assert(request.trace[TRACE_io] && request.trace[TRACE_heap]);
    cr_assert_eq(request.clock_ns, 0);
    cr_assert_eq(parse("collect -i 1 a"), STATUS_USAGE);
}

Test(options, synchronization)
{
    cr_assert_eq(parse("collect -s on a"), 0);
    cr_assert(request.trace[TRACE_sync] && !request.sync_all && !request.sync_ns);
    cr_assert_eq(request.clock_ns, 0);
    cr_assert_eq(parse("collect -s all a"), 0);
    cr_assert(request.trace[TRACE_sync] && request.sync_all);
    cr_assert_eq(parse("collect -s 0 a"), 0);
    cr_assert(request.sync_all);
    cr_assert_eq(parse("collect -s 2.5 a"), 0);
    cr_assert(!request.sync_all && request.sync_ns == 2500);
    cr_assert_eq(parse("collect -s all -s off a"), 0);
    cr_assert(!request.trace[TRACE_sync] && request.clock_ns == 10007000);
    cr_assert_eq(parse("collect -s all,n a"), STATUS_USAGE);
    cr_assert_eq(parse("collect -s 99999999999999 a"), STATUS_USAGE);
}

Test(options, those_to_come_say_so_but_may_be_off)
{
    static const char *const later[] = {
        "collect -j x a", "collect -P 1x",
        "collect -c on a",
    };

    for (size_t i = 0; i < ER_COUNT(later); i++)
        cr_assert_eq(parse(later[i]), STATUS_USAGE, "%s", later[i]);
    cr_assert_eq(parse("collect -H off -s off -i off -m off ./a"), 0);
    cr_assert_str_eq(request.target[0], "./a");
}

Test(options, mpi)
{
    cr_assert_eq(parse("collect -M OMPT -m on -p on a"), 0);
    cr_assert(request.ranks && request.trace[TRACE_mpi] && request.clock_ns);
    cr_assert_eq(parse("collect -m on a"), 0);
    cr_assert(!request.ranks && request.trace[TRACE_mpi] && !request.clock_ns);
    cr_assert_eq(parse("collect -M off a"), 0);
    cr_assert(!request.ranks && !request.trace[TRACE_mpi]);
    cr_assert_eq(parse("collect -M ./a"), STATUS_USAGE);
    cr_assert_eq(parse("collect -m maybe a"), STATUS_USAGE);
}

Test(options, counters)
{
    cr_assert_eq(parse("collect -h cycles,hi -h cs a"), 0);
    cr_assert_eq(request.ncounters, 2);
    cr_assert_str_eq(request.counters[1], "cs");
    cr_assert_eq(request.clock_ns, 0, "counting alone is asked for alone");
    cr_assert_eq(parse("collect -h"), 0);
    cr_assert(request.list_counters);
}

Test(options, descendants)
{
    cr_assert_eq(parse("collect a"), 0);
    cr_assert(request.follow && !request.follow_only);
    cr_assert_eq(parse("collect -F on a"), 0);
    cr_assert(request.follow && !request.follow_only);
    cr_assert_eq(parse("collect -F on -H on a"), 0);
    cr_assert(request.follow && request.trace[TRACE_heap]);
    cr_assert_eq(parse("collect -F off a"), 0);
    cr_assert(!request.follow);
    cr_assert_eq(parse("collect -F all a"), 0);
    cr_assert(request.follow && !request.follow_only);
    cr_assert_eq(parse("collect -F =cc1|as a"), 0);
    cr_assert_str_eq(request.follow_only, "cc1|as");
    cr_assert_eq(parse("collect -F =( a"), STATUS_USAGE);
    cr_assert_eq(parse("collect -F yes a"), STATUS_USAGE);
}

Test(options, rows_are_whole)
{
    for (int i = 0; i < option_count; i++) {
        const struct option_row *o = &option_rows[i];

        cr_assert_gt(strlen(o->help), 0);
        for (int k = 0; k < i; k++)
            cr_assert_neq(o->letter, option_rows[k].letter, "-%c twice", o->letter);
    }
}
