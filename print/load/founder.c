/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/founder.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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
    close(founder->dir);
    free(founder);
}
