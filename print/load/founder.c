/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/founder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/load/log.h"

/* founders whose directory stays open; a process may have few descriptors */
enum { KEPT_MAX = 32 };

static struct founder *founders;
static u32 kept;

static struct founder *
find(const struct stat *st)
{
    for (struct founder *f = founders; f; f = f->next)
        if (f->device == st->st_dev && f->inode == st->st_ino)
            return f;
    return NULL;
}

/*
 * Make a founder, which keeps or closes `dir`. NULL = no memory; `dir` is still the
 * caller's.
 */
static struct founder *
create(int dir, const char *path, const struct stat *st)
{
    struct founder *f = calloc(1, sizeof(*f));

    if (!f || !(f->path = strdup(path))) {
        free(f);
        return NULL;
    }
    f->kept = kept < KEPT_MAX ? dir : -1;
    if (f->kept >= 0)
        kept++;
    else
        close(dir);
    f->device = st->st_dev;
    f->inode = st->st_ino;
    f->users = 1;
    f->next = founders;
    founders = f;
    return f;
}

struct founder *
founder_acquire(int dir, const char *path)
{
    struct stat st = { 0 };
    struct founder *f = fstat(dir, &st) == 0 ? find(&st) : NULL;

    if (f) {
        close(dir);
        f->users++;
        return f;
    }
    f = create(dir, path, &st);
    if (!f)
        close(dir);
    return f;
}

int
founder_open(const struct founder *founder)
{
    struct stat st;
    int dir;

    if (founder->kept >= 0)
        dir = fcntl(founder->kept, F_DUPFD_CLOEXEC, 0);
    else
        dir = open(founder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return -errno;
    if (fstat(dir, &st) < 0 || st.st_dev != founder->device ||
        st.st_ino != founder->inode) {
        close(dir);
        return -ESTALE;
    }
    return dir;
}

/*
 * A text that is equal in logs with the same CLOCK_MONOTONIC: the names of host and
 * boot. The caller frees it; NULL: the host is not known, or no memory.
 */
static char *
host_of(const struct log *log)
{
    const char *name = log_fact(log, "host", "name");
    const char *boot = log_fact(log, "host", "boot");
    char *host;

    if (!name || asprintf(&host, "%s %s", name, boot ? boot : "") < 0)
        return NULL;
    return host;
}

static void
read_start(struct founder *f, const struct log *log)
{
    const struct log_event_row *run = log_begin(log);

    if (!run)
        return;
    f->start_mono = log_event_number(run, "mono", run->mono);
    f->start_wall = log_event_number(run, "wall", 0);
    f->host = host_of(log);
}

static void
read_own_log(struct founder *f)
{
    struct problems none = { .lock = PTHREAD_MUTEX_INITIALIZER };
    int dir = founder_open(f);
    const char *version;
    struct log log;

    f->have_log = true;
    /* Drop the log's problems: they are reported when the founder itself is opened. */
    if (dir >= 0 && log_read(&log, dir, "log.xml", &none) == 0) {
        version = log_fact(&log, "collector", "version");
        f->version = version ? strdup(version) : NULL;
        f->schema = log.schema;
        read_start(f, &log);
        log.schema = (struct schema){ 0 };
        log_free(&log);
    }
    if (dir >= 0)
        close(dir);
    problems_free(&none);
}

const struct schema *
founder_schema(struct founder *founder, const char *version)
{
    if (!founder->have_log)
        read_own_log(founder);
    if (!version || !founder->version || strcmp(version, founder->version) != 0)
        return NULL;
    return founder->schema.nfiles ? &founder->schema : NULL;
}

u64
founder_origin(struct founder *founder, const struct log *log)
{
    const struct log_event_row *run = log_begin(log);
    u64 mono = run ? log_event_number(run, "mono", run->mono) : 0;
    u64 wall = run ? log_event_number(run, "wall", 0) : 0;
    u64 passed = 0;
    char *host = host_of(log);

    if (!founder->have_log)
        read_own_log(founder);
    /* Other hosts have other clocks: only the time of day can be compared. */
    if (founder->host && host && !strcmp(founder->host, host))
        passed = mono - founder->start_mono;
    else if (founder->start_wall && wall)
        passed = wall - founder->start_wall;
    free(host);
    /*
     * If the clocks contradict each other, ignore the difference: it is huge or wraps.
     */
    return passed < mono ? mono - passed : mono;
}

void
founder_drop(struct founder *founder)
{
    if (!founder || --founder->users)
        return;
    for (struct founder **link = &founders; *link; link = &(*link)->next) {
        if (*link == founder) {
            *link = founder->next;
            break;
        }
    }
    archived_free(&founder->archived);
    labels_free(&founder->labels);
    schema_free(&founder->schema);
    free(founder->version);
    free(founder->host);
    if (founder->kept >= 0) {
        close(founder->kept);
        kept--;
    }
    free(founder->path);
    free(founder);
}
