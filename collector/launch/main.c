/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/counter/counter.h"
#include "collector/launch/attached.h"
#include "collector/launch/elsewhere.h"
#include "collector/launch/group.h"
#include "collector/launch/javatarget.h"
#include "collector/launch/machine.h"
#include "collector/launch/options.h"
#include "collector/launch/run.h"
#include "collector/launch/status.h"
#include "config.h"
#include "share/err.h"
#include "share/outfile.h"

/*
 * If collect was started with a standard stream closed, open something in its place, so
 * that none of our files gets its number. For the target it is closed again.
 */
static void
fill_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", O_RDWR | O_CLOEXEC);
}

static void
redirect(const char *path)
{
    int fd = outfile_open(path, O_TRUNC | O_APPEND);

    if (fd < 0)
        err_die(STATUS_OUTPUT, "'%s' cannot be written: %s", path, outfile_error(fd));
    err_start("collect", fd);
}

int
main(int argc, char **argv)
{
    struct request request;
    int status;

    fill_streams();
    err_start("collect", STDERR_FILENO);
    status = options_parse(argc, argv, &request);
    if (status)
        return status;
    /* Not under a debugger: gdb counts the execs until that of the target. */
    if (!request.debugger)
        elsewhere_start(argv);
    if (request.version) {
        printf("collect (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
        return STATUS_OK;
    }
    if (request.help || argc == 1) {
        options_help();
        if (!request.help)
            machine_print();
        return STATUS_OK;
    }
    if (request.list_counters) {
        counter_print();
        return STATUS_OK;
    }
    if (!request.target && !request.pid)
        err_die(STATUS_USAGE, "no target: which program is to be recorded? (--help)");
    status = group_check(&request);
    if (status)
        return status;
    status = request.target ? javatarget_set(&request) : 0;
    if (status)
        return status;
    if (request.dry && !request.pid)
        return run_dry(&request);
    if (request.output)
        redirect(request.output);
    if (request.pid)
        return attached_run(&request);
    return request.debugger ? run_beside(&request) : run(&request);
}
