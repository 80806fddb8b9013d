/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/rank.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/inspect/account.h"
#include "collector/inspect/moment.h"
#include "collector/launch/head.h"
#include "collector/launch/member.h"
#include "collector/launch/room.h"
#include "collector/launch/tail.h"
#include "share/logxml.h"
#include "share/mpijob.h"

enum {
    ARGS = 64,
    ARG_BYTES = 8192,
    TRIES = 1000,
    FOREBEARS = 32,  /* processes from a rank up to the starter on its host, at most */
    JOB_AGE = 86400, /* s: ranks that begin further apart are of other runs */
};

int
rank_by_environ(void)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
        "SLURM_PROCID",
    };

    for (u32 i = 0; i < ER_COUNT(names); i++) {
        const char *value = getenv(names[i]);
        char *end;
        long rank;

        if (!value || !*value)
            continue;
        /* SLURM sets it for a batch script, too, which is not a rank. */
        if (!strcmp(names[i], "SLURM_PROCID") && !getenv("SLURM_STEP_ID"))
            continue;
        rank = strtol(value, &end, 10);
        return *end || rank < 0 || rank > 100000000 ? -1 : (int)rank;
    }
    return -1;
}

/*
 * Read the words of a process's command line, each with its null byte. Returns their
 * length.
 */
static size_t
command_line(pid_t pid, char *text, size_t size)
{
    char path[64];
    ssize_t len;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    len = fd < 0 ? 0 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    len = len < 0 ? 0 : len;
    text[len] = '\0';
    return (size_t)len;
}

/* The word after an option, or NULL. */
static const char *
option_of(const char *text, size_t len, const char *option)
{
    for (const char *at = text; at < text + len; at += strlen(at) + 1)
        if (!strcmp(at, option) && at + strlen(at) + 1 < text + len)
            return at + strlen(at) + 1;
    return NULL;
}

/*
 * Name the job by the port on which MPICH's mpirun listens. mpirun gives the ranks
 * nothing that is the same on all hosts; but the process that starts them on each host
 * has that port in its options. 1, or 0 if there is no such process.
 */
static int
hydra_name(char job[MPIJOB_BYTES])
{
    static char text[ARG_BYTES];
    pid_t pid = getppid();

    for (u32 i = 0; i < FOREBEARS && pid > 1; i++) {
        size_t len = command_line(pid, text, sizeof(text));
        const char *slash = strrchr(text, '/');
        const char *port = option_of(text, len, "--control-port");

        if (port && !strcmp(slash ? slash + 1 : text, "hydra_pmi_proxy"))
            return snprintf(job, MPIJOB_BYTES, "hydra %s\n", port) < MPIJOB_BYTES;
        pid = (pid_t)account_stat_field(pid, STAT_PARENT);
    }
    return 0;
}

/*
 * Find a name that all ranks of this run have in common: the resource manager's, or
 * else one made from our parent process.
 */
static void
job_name(const struct recording *s, char job[MPIJOB_BYTES])
{
    const char *space = getenv("PMIX_NAMESPACE"), *pmi = getenv("PMI_JOBID");
    const char *slurm = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");

    if (space)
        snprintf(job, MPIJOB_BYTES, "pmix %s\n", space);
    else if (slurm && step)
        snprintf(job, MPIJOB_BYTES, "slurm %s.%s\n", slurm, step);
    else if (pmi)
        snprintf(job, MPIJOB_BYTES, "pmi %s\n", pmi);
    else if (!hydra_name(job))
        snprintf(job, MPIJOB_BYTES, "parent %s %d %llu\n", s->host.boot, (int)getppid(),
                 (unsigned long long)account_stat_field(getppid(), STAT_START));
}

/* Is the file from this run? The name of a job may be used again later. */
static int
is_recent(int fd)
{
    struct stat st;
    int64_t now = (int64_t)(moment_now(0).wall / 1000000000u), age;

    if (fstat(fd, &st) < 0)
        return 0;
    age = now - (int64_t)st.st_mtime;
    return age < JOB_AGE && age > -JOB_AGE;
}

/*
 * Does the experiment belong to our user? In a directory that all may write, others may
 * have made one under any name.
 */
static int
is_ours(int dir)
{
    struct stat st;

    return fstat(dir, &st) == 0 && st.st_uid == geteuid();
}

static int
open_job(int founder)
{
    return openat(founder, MPIJOB_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/*
 * If an experiment of this job has that name, return a descriptor of its directory;
 * else -errno.
 */
static int
open_founder(int parent, const char *name, const char *job)
{
    int dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    char text[MPIJOB_BYTES];
    ssize_t len = -1;
    int fd;

    if (dir < 0)
        return -errno;
    fd = is_ours(dir) ? open_job(dir) : -1;
    if (fd >= 0) {
        len = is_recent(fd) ? read(fd, text, sizeof(text)) : -1;
        close(fd);
    }
    if (len == (ssize_t)strlen(job) && !memcmp(text, job, (size_t)len))
        return dir;
    close(dir);
    return -EEXIST;
}

/*
 * Search for the founder of this job under all names that have wanted's form; a name
 * without a number is the only one of its form. Returns a descriptor of its directory,
 * or -errno (-ENOENT: there is none).
 */
static int
find_founder(int parent, const char *wanted, const char *job, char *name)
{
    const char *form = wanted ? wanted : "test.1.er";
    int fd, found = -ENOENT;
    size_t stem, len;
    struct dirent *entry;
    DIR *dir;
    u64 n;

    if (!name_numbered(form, &stem, &n)) {
        strcpy(name, form);
        return open_founder(parent, form, job);
    }
    fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir)
        return -errno;
    while (found < 0 && (entry = readdir(dir))) {
        if (!name_numbered(entry->d_name, &len, &n) || len != stem ||
            strncmp(entry->d_name, form, stem) != 0)
            continue;
        snprintf(name, NAME_MAX_BYTES, "%s", entry->d_name);
        found = open_founder(parent, name, job);
    }
    closedir(dir);
    return found < 0 ? -ENOENT : found;
}

/*
 * Write the founder's experiment. It describes the process that started the ranks, our
 * parent.
 */
static int
write_founder(const struct recording *s, struct expdir *e, const char *job)
{
    static char text[ARG_BYTES], wd[PATH_MAX];
    struct recording *f = malloc(sizeof(*f));
    struct head_process process = { .ppid = 0, .wd = wd };
    char *args[ARGS + 1] = { NULL };
    size_t len;
    int fd, n = 0, ret;

    if (!f)
        return -ENOMEM;
    *f = *s;
    f->experiment = *e;
    f->pid = getppid();
    f->start = moment_now(s->host.tsc);
    member_program(f->pid, f->program);
    len = command_line(f->pid, text, sizeof(text));
    for (size_t at = 0; at < len && n < ARGS; at += strlen(text + at) + 1)
        args[n++] = text + at;
    process.args = args;
    ret = room_optional(f);
    *e = f->experiment;
    if (!getcwd(wd, sizeof(wd)))
        wd[0] = '\0';
    if (ret == 0)
        ret = head_log(f, &process);
    if (ret == 0)
        ret = head_map(f);
    if (ret == 0)
        head_run(f);
    if (ret == 0)
        tail_put_map(e); /* it is not a process, and has no objects */
    free(f);
    fd = openat(e->dir, MPIJOB_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    if (ret == 0 && write(fd, job, strlen(job)) != (ssize_t)strlen(job))
        ret = -EIO;
    close(fd);
    return ret;
}

/*
 * Make a founder by that name. 0; -EEXIST: there is something of that name already; or
 * -errno.
 */
static int
make_founder(struct recording *s, const char *name, const char *job)
{
    struct expdir e;
    char own[64];
    int ret;

    snprintf(own, sizeof(own), ".mpi-founder-%d", (int)getpid());
    ret = experiment_create(&e, s->parent, own);
    if (ret < 0)
        return ret;
    ret = write_founder(s, &e, job);
    if (ret == 0) {
        experiment_trim(&e);
        if (renameat(s->parent, own, s->parent, name) == 0) {
            experiment_close(&e);
            return 0;
        }
        ret = errno == ENOTEMPTY ? -EEXIST : -errno;
    }
    (void)unlinkat(e.dir, MPIJOB_FILE, 0);
    experiment_discard(&e, s->parent, own);
    return ret;
}

/*
 * Find the founder, or make it. Sets its name; returns a descriptor of its directory,
 * or -errno.
 */
static int
join_founder(struct recording *s, const char *wanted, char *name)
{
    char job[MPIJOB_BYTES];

    job_name(s, job);
    for (int i = 0; i < TRIES; i++) {
        char next[NAME_MAX_BYTES];
        int ret = name_choose(s->parent, wanted, next), fd;

        /*
         * The free name was chosen before this search. So if a name is in use, its
         * experiment was there already, and the search finds it if it is this job's.
         */
        fd = find_founder(s->parent, wanted, job, name);
        if (fd != -ENOENT)
            return fd;
        /*
         * If another rank takes this name first, make_founder() returns -EEXIST: search
         * again.
         */
        strcpy(name, next);
        if (ret == 0)
            ret = make_founder(s, name, job);
        if (ret < 0 && ret != -EEXIST)
            return ret;
    }
    return -EEXIST;
}

int
rank_create(struct recording *s, const char *wanted, int rank)
{
    char name[NAME_MAX_BYTES];
    int founder = join_founder(s, wanted, name), ret;

    if (founder < 0)
        return founder;
    snprintf(s->founder, sizeof(s->founder), "%s", name);
    snprintf(s->name, sizeof(s->name), RANK_PREFIX "%d" EXPERIMENT_SUFFIX, rank);
    ret = experiment_create(&s->experiment, founder, s->name);
    if (ret < 0) {
        close(founder);
        return ret == -EEXIST ? -ENOTUNIQ : ret;
    }
    close(s->parent);
    s->parent = founder;
    s->job = open_job(founder);
    (void)flock(s->job, LOCK_SH);
    return 0;
}

/*
 * Log the end of all ranks, but without the log's closing tag: another rank may still
 * begin when the others have ended.
 */
static void
put_end(const struct recording *s)
{
    int fd = openat(s->parent, EXPERIMENT_LOG,
                    O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    struct moment now = moment_now(s->host.tsc);
    const struct log_attr attrs[] = {
        { "tick", NULL, now.tick },
        { "mono", NULL, now.mono },
        { "wall", NULL, now.wall },
    };

    if (fd < 0)
        return;
    (void)log_event(fd, EVENT_end, now.mono, "all its ranks have", NULL, attrs,
                    ER_COUNT(attrs));
    close(fd);
}

int
rank_end(const struct recording *s)
{
    if (s->job >= 0 && flock(s->job, LOCK_EX | LOCK_NB) < 0)
        return 0;
    put_end(s);
    return 1;
}
