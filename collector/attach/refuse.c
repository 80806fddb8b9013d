/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/refuse.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/attach/debugger.h"
#include "collector/attach/proc.h"
#include "share/image.h"

/* Write the sentence to why, from a format and its arguments; the value is 1. */
#define say(why, size, ...) (snprintf(why, size, __VA_ARGS__), 1)

/* Does another process trace it already? If so, say which. */
static int
is_traced(pid_t pid, char *why, size_t size)
{
    pid_t tracer = (pid_t)proc_status(pid, pid, "TracerPid:", 10, 0);
    char name[64], text[128];

    if (!tracer || tracer == debugger_pid())
        return 0;
    proc_name(tracer, name);
    snprintf(text, sizeof(text), "%s (process %d)", *name ? name : "another process",
             (int)tracer);
    return say(why, size,
               "process %d is traced by %s already: a process has one tracer", pid,
               text);
}

/* Can the process's program not load the collector? If so, say why. */
static int
has_no_place(pid_t pid, char *why, size_t size, const char **beyond)
{
    char path[64], program[PATH_MAX], interpreter[IMAGE_LINE];
    enum image_kind kind;
    ssize_t len;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    len = readlink(path, program, sizeof(program) - 1);
    if (len < 0 && errno == ENOENT)
        return say(why, size, "process %d is %s", pid, "the kernel's own");
    if (len < 0)
        return 0;
    program[len] = '\0';
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    kind = image_read(fd, program, interpreter);
    close(fd);
    if (image_is_walked(kind))
        *beyond = image_reason(kind);
    if (!image_loads(kind))
        return say(why, size, "process %d cannot load the collector: %s", pid,
                   image_reason(kind));
    return 0;
}

/* Yama may restrict tracing of a process: to its ancestors, to root, or to nobody. */
static int
yama_scope(void)
{
    int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
    char text[8] = "0";

    if (fd >= 0) {
        (void)!read(fd, text, sizeof(text) - 1);
        close(fd);
    }
    return atoi(text);
}

static int
yama_forbids(pid_t pid, char *why, size_t size)
{
    int scope = yama_scope();

    if (!scope || geteuid() == 0)
        return 0;
    return say(why, size,
               "the kernel does not let process %d be traced (Yama): %s", pid,
               scope == 3 ? "ptrace_scope is 3, which lasts until the next boot"
                          : "sysctl kernel.yama.ptrace_scope=0 permits it, or be root");
}

/* Does the kernel refuse access to the process's /proc files? If so, say why. */
static int
is_out_of_reach(pid_t pid, char *why, size_t size)
{
    u64 owner = proc_status(pid, pid, "Uid:", 10, ~0ull);
    char path[64];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
    if (access(path, F_OK) == 0) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        if (fd >= 0) {
            close(fd);
            return 0;
        }
    }
    snprintf(path, sizeof(path), "/proc/%d", (int)pid);
    if (owner != ~0ull && owner != getuid())
        return say(why, size, "process %d is another user's%s", pid, "");
    if (stat(path, &st) == 0 && st.st_uid != getuid())
        return say(why, size,
                   "process %d has, or had, rights of others (setuid, capabilities), "
                   "and does not let itself be traced%s",
                   pid, "");
    return yama_forbids(pid, why, size) ||
           say(why, size, "the kernel does not let process %d be traced%s", pid, "");
}

int
refuse(pid_t pid, char *why, size_t size, const char **beyond)
{
    char state = proc_state(pid, pid);

    *beyond = NULL;
    if (pid == getpid())
        return say(why, size, "process %d is %s", pid, "collect itself");
    if (!state || state == 'X')
        return say(why, size, "there is no process %d%s", pid, "");
    if (proc_status(pid, pid, "Tgid:", 10, (u64)pid) != (u64)pid)
        return say(why, size, "%d is %s", pid, "a thread, not a process");
    if (state == 'Z')
        return say(why, size, "process %d has ended%s", pid, "");
    if (has_no_place(pid, why, size, beyond) || is_traced(pid, why, size))
        return 1;
    if (state == 'T')
        return say(why, size, "process %d is stopped: it must run (%s)", pid,
                   "kill -CONT");
    return is_out_of_reach(pid, why, size);
}

int
refuse_by_kernel(pid_t pid, char *why, size_t size)
{
    return is_traced(pid, why, size) || yama_forbids(pid, why, size) ||
           say(why, size, "the kernel does not let process %d be traced%s", pid, "");
}
