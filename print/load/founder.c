/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/founder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/load/log.h"

static struct founder *founders;

static struct founder *
find(const struct stat *st)
{
    for (struct founder *f = founders; f; f = f->next)
        if (f->device == st->st_dev && f->inode == st->st_ino)
            return f;
    return NULL;
}

struct founder *
founder_take(int dir)
{
    struct stat st = { 0 };
    struct founder *f = fstat(dir, &st) == 0 ? find(&st) : NULL;

    if (f) {
        close(dir);
        f->users++;
        return f;
    }
    f = calloc(1, sizeof(*f));
    if (!f) {
        close(dir);
        return NULL;
    }
    f->dir = dir;
    f->device = st.st_dev;
    f->inode = st.st_ino;
    f->users = 1;
    f->next = founders;
    founders = f;
    return f;
}

static void
read_schema(struct founder *f)
{
    struct problems none = { .lock = PTHREAD_MUTEX_INITIALIZER };
    const char *version;
    struct log log;

    f->have_schema = true;
    /* What is wrong with the log is told where the founder itself is opened. */
    if (log_read(&log, f->dir, "log.xml", &none) == 0) {
        version = log_fact(&log, "collector", "version");
        f->version = version ? strdup(version) : NULL;
        f->schema = log.schema;
        log.schema = (struct schema){ 0 };
        log_free(&log);
    }
    problems_free(&none);
}

const struct schema *
founder_schema(struct founder *founder, const char *version)
{
    if (!founder->have_schema)
        read_schema(founder);
    if (!version || !founder->version || strcmp(version, founder->version) != 0)
        return NULL;
    return founder->schema.nfiles ? &founder->schema : NULL;
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
    schema_free(&founder->schema);
    free(founder->version);
    close(founder->dir);
    free(founder);
}
