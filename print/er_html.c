/* SPDX-License-Identifier: Apache-2.0 */
/* er_html: writes experiments as one page for a browser. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manage/options.h"
#include "print/cmd/rcfile.h"
#include "print/cmd/run.h"
#include "print/base/progress.h"
#include "print/load/record/shrunk.h"
#include "print/out/report.h"
#include "share/outfile.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* one of the experiments; the page has the others */
    EXIT_USAGE = 2,  /* nothing was done; options_read() ends so, too */
    EXIT_NONE = 3,   /* no experiment could be read */
    EXIT_LOST = 4,   /* the page could not be written */
};

struct job {
    const char *out;
    struct report_limits limits;
};

static FILE *
open_page(const char *name)
{
    int fd = strcmp(name, "-") ? outfile_open(name, O_TRUNC) : dup(STDOUT_FILENO);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

    if (!f)
        fprintf(stderr, "er_html: %s cannot be written: %s\n", name,
                outfile_error(fd < 0 ? fd : -errno));
    return f;
}

static int
write_page(struct shell *sh, const struct job *job)
{
    FILE *f = open_page(job->out);
    int err;

    if (!f)
        return EXIT_LOST;
    err = report_write(sh, &job->limits, f);
    if (err)
        shell_fail_errno(sh, err, "the report");
    if (ferror(f) | fclose(f)) {
        fprintf(stderr, "er_html: %s could not be written\n", job->out);
        return EXIT_LOST;
    }
    shell_report_problems(sh);
    return sh->failed ? EXIT_FAILED : EXIT_DONE;
}

static int
print(struct shell *sh, const struct job *job, char **experiment)
{
    sh->program = "er_html";
    rcfile_read_all(sh);
    progress_turn(true);
    for (u32 i = 0; experiment[i]; i++)
        shell_add(sh, experiment[i]);
    progress_turn(false);
    if (!sh->session->nexperiments)
        return EXIT_NONE;
    if (sh->session->experiment[sh->session->nexperiments - 1]->group)
        sh->compare = COMPARE_ON;
    return write_page(sh, job);
}

static void
parse_option(void *context, int letter, const char *value)
{
    struct job *job = context;

    if (letter == 'o')
        job->out = value;
    else
        job->limits.source = job->limits.listings = 0;
}

int
main(int argc, char **argv)
{
    struct job job = { "report.html", { 600000, 8 << 20, 150 } };
    int first = options_read("er_html", argc, argv, parse_option, &job);
    struct shell sh;
    int status;

    if (first == argc) {
        fputs("er_html: no experiment is named; er_html --help says more\n", stderr);
        return EXIT_USAGE;
    }
    shrunk_start();
    if (shell_start(&sh)) {
        fputs("er_html: no memory is left\n", stderr);
        return EXIT_FAILED;
    }
    status = print(&sh, &job, argv + first);
    if (shell_end(&sh))
        status = EXIT_LOST;
    return status;
}
