/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/gather.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "share/beside.h"

#define COPIER "er_cp"

int
gather_run(char **names, int count, char *target)
{
    char path[PATH_MAX], **argv;
    int ret = beside_path(path, COPIER), status, at = 0;
    pid_t pid;

    if (ret < 0)
        return ret;
    argv = calloc((size_t)count + 5, sizeof(*argv));
    if (!argv)
        return -ENOMEM;
    argv[at++] = path;
    argv[at++] = (char[]){ "-g" };
    argv[at++] = (char[]){ "--" };
    memcpy(&argv[at], names, (size_t)count * sizeof(*argv));
    argv[at + count] = target;
    ret = -posix_spawn(&pid, path, NULL, NULL, argv, environ);
    free(argv);
    if (ret < 0)
        return ret;
    /*
     * On SIGINT, er_cp undoes its work and ends by that signal. In the meantime, ignore
     * the signal here; then end by the same signal as er_cp.
     */
    signal(SIGINT, SIG_IGN);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    signal(SIGINT, SIG_DFL);
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    raise(WTERMSIG(status));
    return 1;
}
