/* SPDX-License-Identifier: Apache-2.0 */
/*
 * try_scripts: runs random scripts through er_print's shell, many in a process, and
 * looks at what comes of it.
 *
 *   try_scripts [-n SCRIPTS] [-r SEED] [-v] EXPERIMENT...
 *
 * A script is a shell of its own with one or more of the experiments. It must end by
 * itself; each complaint must be one sentence, behind "er_print: "; a command that
 * fails must complain. -v prints the scripts and their complaints. At the first that
 * goes wrong its seed is told, with which `-n 1 -r SEED` runs it again. Build with
 * sanitizers to find more.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "print/cmd/run.h"
#include "tests/gen/grammar.h"

enum {
    BATCH = 500, /* scripts of a process */
    LINES = 12,
    PATIENCE = 120, /* seconds for a script */
    SAID = 1 << 16,
};

/* What the parent sees of a child that died. */
struct state {
    u64 seed;
    u64 commands;
    u64 failed; /* of these */
    char line[GRAMMAR_LINE];
};

static struct state state;
static int kept; /* a file with the state, for the parent */
static FILE *complaints;
static FILE *report; /* standard output is er_print's */
static bool verbose;

static void
keep(void)
{
    if (pwrite(kept, &state, sizeof(state), 0) != sizeof(state))
        abort();
}

static bool
wrong(const char *what, const char *said)
{
    fprintf(report, "%s: seed %llu, line: %s\n%s\n", what,
            (unsigned long long)state.seed, state.line, said);
    return false;
}

/* Lines of text: "er_print: " and a sentence, or what such a sentence shows. */
static bool
is_well_said(char *said, bool failed)
{
    u32 sentences = 0;

    for (char *line = said, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            return wrong("a complaint has no end", said);
        if (!strncmp(line, "er_print: ", 10))
            sentences++;
        else if (strncmp(line, "    ", 4))
            return wrong("a complaint of several lines", said);
    }
    if (failed && !sentences)
        return wrong("a command failed and said nothing", said);
    return true;
}

static bool
run_command(struct shell *sh, struct grammar *g)
{
    static char said[SAID];
    size_t n;
    bool failed;

    snprintf(state.line, sizeof(state.line), "%s", grammar_line(g));
    keep();
    rewind(complaints);
    if (ftruncate(fileno(complaints), 0))
        return wrong("no file for complaints", "");
    failed = run_line(sh, state.line);
    fflush(complaints);
    rewind(complaints);
    n = fread(said, 1, sizeof(said) - 1, complaints);
    /* Of a script that complains of each of very many lines, those that fit. */
    if (n == sizeof(said) - 1)
        while (n && said[n - 1] != '\n')
            n--;
    said[n] = '\0';
    if (strlen(said) != n)
        return wrong("a complaint with a zero byte", said);
    if (verbose)
        fprintf(report, "%s\n%s", state.line, said);
    state.commands++;
    state.failed += failed;
    keep();
    return is_well_said(said, failed);
}

static bool
run_script(u64 seed, char **experiment, u32 experiments)
{
    struct grammar g = { .seed = seed };
    struct shell sh;
    bool good = true;

    state.seed = seed;
    alarm(PATIENCE);
    if (shell_start(&sh))
        return wrong("no memory", "");
    g.session = sh.session;
    for (u32 n = 1 + grammar_below(&g, 2); n; n--)
        shell_add(&sh, experiment[grammar_below(&g, experiments)]);
    for (u32 n = 1 + grammar_below(&g, LINES); n && good && !sh.quit; n--)
        good = run_command(&sh, &g);
    shell_end(&sh);
    return good;
}

static int
run_batch(u64 seed, u64 count, char **experiment, u32 experiments)
{
    FILE *own = stderr;
    int bad = 0;

    complaints = tmpfile();
    if (!complaints || !freopen("/dev/null", "w", stdout))
        return 1;
    stderr = complaints;
    for (u64 i = 0; i < count && !bad; i++)
        bad = !run_script(seed + i, experiment, experiments);
    stderr = own;
    fclose(complaints);
    fclose(report);
    return bad;
}

/* The batch in a process of its own. Returns 0 when all is well. */
static int
try_batch(u64 seed, u64 count, char **experiment, u32 experiments)
{
    int status = 0;
    pid_t pid;

    fflush(report);
    pid = fork();
    if (pid == 0)
        exit(run_batch(seed, count, experiment, experiments));
    if (pid < 0 || waitpid(pid, &status, 0) < 0 ||
        pread(kept, &state, sizeof(state), 0) != sizeof(state))
        return 1;
    if (!status)
        return 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
        fprintf(report, "ended by %s %d: seed %llu or before, line: %s\n",
                WIFEXITED(status) ? "status" : "signal",
                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
                (unsigned long long)state.seed, state.line);
    return 1;
}

int
main(int argc, char **argv)
{
    u64 scripts = 1000, seed = 1;
    FILE *file;
    int c, bad = 0;

    while ((c = getopt(argc, argv, "n:r:v")) != -1)
        if (c == 'n')
            scripts = strtoull(optarg, NULL, 10);
        else if (c == 'r')
            seed = strtoull(optarg, NULL, 10);
        else if (c == 'v')
            verbose = true;
        else
            return 2;
    file = tmpfile();
    report = fdopen(dup(STDOUT_FILENO), "w");
    if (!file || !report || optind == argc)
        return 2;
    kept = fileno(file);
    keep();
    for (u64 i = 0; i < scripts && !bad; i += BATCH)
        bad = try_batch(seed + i, scripts - i < BATCH ? scripts - i : BATCH,
                        argv + optind, (u32)(argc - optind));
    fprintf(report,
            "%llu scripts from seed %llu, %llu commands, %llu of them refused\n",
            (unsigned long long)scripts, (unsigned long long)seed,
            (unsigned long long)state.commands, (unsigned long long)state.failed);
    fclose(report);
    fclose(file);
    return bad;
}
