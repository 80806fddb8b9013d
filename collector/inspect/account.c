/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/account.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/inspect/moment.h"
#include "share/readfile.h"

enum {
    FEW_THREADS = 32, /* with more threads, /proc is not read for each of them */
};

size_t
account_read_text(pid_t pid, const char *what, char *text, size_t size)
{
    char path[96];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, what);
    return readfile_head(path, text, size);
}

/*
 * Do these words come from a title with blanks, which NULs fill up to the length of the
 * words that were there?
 */
static int
is_title(char *const *args, size_t count)
{
    if (count < 2 || !strchr(args[0], ' '))
        return 0;
    for (size_t i = 1; i < count; i++)
        if (*args[i])
            return 0;
    return 1;
}

size_t
account_split_args(char *text, size_t len, char **args, size_t most)
{
    size_t count = 0;

    for (char *p = text; p < text + len && count < most; p += strlen(p) + 1)
        args[count++] = p;
    if (is_title(args, count))
        count = 1;
    args[count] = NULL;
    return count;
}

size_t
account_read_args(pid_t pid, char *text, size_t size, char **args, size_t most)
{
    size_t len = account_read_text(pid, "cmdline", text, size);

    return account_split_args(text, len, args, most);
}

u64
account_stat_field(pid_t pid, enum account_field wanted)
{
    char text[1024], *p;

    account_read_text(pid, "stat", text, sizeof(text));
    p = strrchr(text, ')');
    for (u32 field = 2; p && field < wanted; field++)
        p = strchr(p + 1, ' ');
    return p ? strtoull(p, NULL, 10) : 0;
}

/*
 * Parse /proc/PID/stat, with fields as numbered in proc_pid_stat(5). The process's name
 * may contain any bytes.
 */
int
account_parse_stat(const char *text, u64 tick, struct account_stat *stat)
{
    const char *p = strrchr(text, ')');
    u64 field[25] = { 0 };
    char state;

    if (!p || sscanf(p + 1, " %c", &state) != 1)
        return -EINVAL;
    p = strchr(p, state) + 1;
    for (int i = 4; i <= 24; i++) {
        char *end;

        field[i] = strtoull(p, &end, 10);
        if (end == p)
            return -EINVAL;
        p = end;
    }
    *stat = (struct account_stat){
        .minflt = field[10],
        .cminflt = field[11],
        .majflt = field[12],
        .cmajflt = field[13],
        .utime = field[14] * tick,
        .stime = field[15] * tick,
        .cutime = field[16] * tick,
        .cstime = field[17] * tick,
        .threads = field[20],
        .rss = field[24],
    };
    return 0;
}

u64
account_split(u64 total, u64 utime, u64 stime, u64 tick)
{
    u64 low = utime, high = utime + tick - 1, rest = stime + tick - 1;

    if (total > rest && total - rest > low)
        low = total - rest;
    if (total >= stime && total - stime < high)
        high = total - stime;
    if (high < low)
        high = low;
    /* Return the middle of what is possible. */
    low += (high - low) / 2;
    return low < total ? low : total;
}

static u64
tick_ns(void)
{
    return 1000000000u / (u64)sysconf(_SC_CLK_TCK);
}

static u64
cpu_clock(pid_t pid)
{
    clockid_t clock;

    return clock_getcpuclockid(pid, &clock) == 0 ? moment_clock(clock) : 0;
}

/*
 * Set user and system time. Estimates may fall from one measurement to the next, but
 * what is reported here never decreases.
 */
static void
set_times(struct process_use *a, u64 total, u64 user)
{
    u64 system;

    if (user < a->use.user)
        user = a->use.user;
    if (total < user)
        total = user;
    system = total - user;
    if (system < a->use.system && total >= a->use.system + a->use.user) {
        system = a->use.system;
        user = total - system;
    }
    a->total = total;
    a->use.user = user;
    a->use.system = system;
    a->use.known |= KNOWN_user | KNOWN_system;
}

static u64
value_of(const char *text, const char *key, int *found)
{
    const char *at = strstr(text, key);

    *found = at != NULL;
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static void
read_memory(struct process_use *a, const char *status)
{
    int found;
    u64 kb = value_of(status, "\nVmRSS:", &found);

    if (found) {
        a->use.rss = kb * 1024;
        a->use.known |= KNOWN_rss;
    }
    kb = value_of(status, "\nVmHWM:", &found);
    if (found && kb * 1024 >= a->use.maxrss)
        a->use.maxrss = kb * 1024;
    if (found)
        a->use.known |= KNOWN_maxrss;
}

/* Add one thread's context switches. Returns 0 if the thread has ended. */
static int
add_switches(pid_t pid, const char *tid, u64 *voluntary, u64 *involuntary)
{
    char what[64], text[4096];
    int found;

    snprintf(what, sizeof(what), "task/%.20s/status", tid);
    if (!account_read_text(pid, what, text, sizeof(text)))
        return 0;
    *voluntary += value_of(text, "\nvoluntary_ctxt_switches:", &found);
    if (found)
        *involuntary += value_of(text, "\nnonvoluntary_ctxt_switches:", &found);
    return found;
}

static void
read_switches(struct process_use *a, pid_t pid, u64 threads)
{
    char path[64];
    struct dirent *entry;
    u64 voluntary = 0, involuntary = 0, seen = 0;
    DIR *dir;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            seen += (u64)add_switches(pid, entry->d_name, &voluntary, &involuntary);
    if (dir)
        closedir(dir);
    if (seen != threads)
        return;
    a->use.nvcsw = voluntary;
    a->use.nivcsw = involuntary;
    a->use.known |= KNOWN_nvcsw | KNOWN_nivcsw;
}

/*
 * Read the process's I/O. The kernel's ru_inblock is read_bytes / 512
 * (include/linux/task_io_accounting_ops.h).
 */
static void
read_io(struct process_use *a, pid_t pid)
{
    char text[512];
    int found, found2;
    u64 in, out;

    if (!account_read_text(pid, "io", text, sizeof(text)))
        return;
    in = value_of(text, "\nread_bytes:", &found);
    out = value_of(text, "\nwrite_bytes:", &found2);
    if (!found || !found2)
        return;
    a->use.inblock = in / 512;
    a->use.oublock = out / 512;
    a->use.known |= KNOWN_inblock | KNOWN_oublock;
}

static int
read_stat(struct process_use *a, pid_t pid, struct account_stat *stat)
{
    char text[2048];
    u64 tick = tick_ns();

    if (!account_read_text(pid, "stat", text, sizeof(text)) ||
        account_parse_stat(text, tick, stat) < 0)
        return -ESRCH;
    a->use.minflt = stat->minflt;
    a->use.majflt = stat->majflt;
    a->use.threads = (u32)stat->threads;
    a->use.known |= KNOWN_minflt | KNOWN_majflt | KNOWN_threads;
    return 0;
}

void
account_read(struct process_use *a, pid_t pid, u32 born)
{
    struct account_stat stat;
    char text[4096];
    u64 total;

    a->use.known = 0;
    if (read_stat(a, pid, &stat) < 0)
        return;
    total = cpu_clock(pid);
    set_times(a, total, account_split(total, stat.utime, stat.stime, tick_ns()));
    if (account_read_text(pid, "status", text, sizeof(text)))
        read_memory(a, text);
    if (born && born <= stat.threads && stat.threads <= FEW_THREADS)
        read_switches(a, pid, stat.threads);
    read_io(a, pid);
}

static u64
timeval_ns(struct timeval tv)
{
    return (u64)tv.tv_sec * 1000000000u + (u64)tv.tv_usec * 1000u;
}

/*
 * Take all of *r. Only for a process that waited for no children: else *r contains
 * their use, too.
 */
static void
copy_rusage(struct process_use *a, const struct rusage *r)
{
    a->use.nvcsw = (u64)r->ru_nvcsw;
    a->use.nivcsw = (u64)r->ru_nivcsw;
    a->use.inblock = (u64)r->ru_inblock;
    a->use.oublock = (u64)r->ru_oublock;
    a->use.maxrss = (u64)r->ru_maxrss * 1024;
    a->use.known |=
        KNOWN_nvcsw | KNOWN_nivcsw | KNOWN_inblock | KNOWN_oublock | KNOWN_maxrss;
}

void
account_close(struct process_use *a, pid_t pid, const struct rusage *rusage)
{
    u64 user = timeval_ns(rusage->ru_utime), system = timeval_ns(rusage->ru_stime);
    u64 total = cpu_clock(pid), tick = tick_ns(), all = user + system;
    struct account_stat stat;

    a->use.known = 0;
    a->use.rss = 0;
    if (read_stat(a, pid, &stat) < 0)
        return;
    /* The kernel rounds both down to microseconds. */
    if (!stat.cminflt && user + system <= total + 2000 &&
        total <= user + system + 2000) {
        copy_rusage(a, rusage);
    } else {
        user = account_split(total, stat.utime, stat.stime, tick);
        read_io(a, pid);
    }
    a->descendants = all > total ? all - total : 0;
    a->user = user < total ? user : total;
    a->system = total - a->user;
    set_times(a, total, a->user);
    a->use.threads = 0;
    a->use.known |= KNOWN_rss;
}

/* What ioctl() on a pidfd returns: struct pidfd_info (linux/pidfd.h, Linux 6.13). */
struct pidfd_result {
    u64 mask, cgroup;
    u32 ids[11];
    int32_t exit_code; /* as of waitpid(2); with INFO_EXIT */
};

/*
 * The exit status of a zombie that was not reaped, as of waitpid(2). 0 also if there is
 * none, or if it may not be read.
 */
static int
zombie_status(int pidfd, pid_t pid)
{
    int status = (int)account_stat_field(pid, STAT_EXIT_CODE);

    return syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) == 0 ? status : 0;
}

int
account_ended(int pidfd, pid_t pid, siginfo_t *ended)
{
    enum { INFO_EXIT = 1 << 3 };
    struct pidfd_result told = { .mask = INFO_EXIT };
    int status = zombie_status(pidfd, pid);

    if (!status && (ioctl(pidfd, _IOWR(0xff, 11, struct pidfd_result), &told) < 0 ||
                    !(told.mask & INFO_EXIT)))
        return 0;
    status = status ? status : told.exit_code;
    memset(ended, 0, sizeof(*ended));
    ended->si_code = WIFEXITED(status)     ? CLD_EXITED
                     : WCOREDUMP(status) ? CLD_DUMPED
                                         : CLD_KILLED;
    ended->si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    return 1;
}
