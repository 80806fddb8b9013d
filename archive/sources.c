/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/objkey.h"
#include "archive/store.h"

#define FILE_LIMIT ((off_t)16 << 20)
#define TOTAL_LIMIT ((u64)1 << 30)

struct sources {
    int dir;
    FILE *index;
    u64 total; /* bytes */
};

/* Copies an open source file; true when the directory has it afterwards. */
static bool
copy_file(struct sources *s, int from, const char *name)
{
    struct store_file f;
    struct stat st;

    if (fstat(from, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > FILE_LIMIT ||
        s->total + (u64)st.st_size > TOTAL_LIMIT)
        return false;
    if (store_begin(&f, s->dir) < 0)
        return false;
    if (store_copy(from, f.fd) < 0) {
        store_abandon(&f);
        return false;
    }
    s->total += (u64)st.st_size;
    return store_commit(&f, name) == 0;
}

static void
keep(struct sources *s, const char *path)
{
    char name[OBJKEY_SOURCE_MAX];
    int from;

    objkey_source(name, path);
    if (path[0] != '/' || faccessat(s->dir, name, F_OK, 0) == 0)
        return;
    from = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (from < 0)
        return;
    if (copy_file(s, from, name))
        fprintf(s->index, "%s %s\n", name, path);
    close(from);
}

static void
keep_object(struct sources *s, const struct archive *a, const struct archive_item *item)
{
    struct objfile *o;

    if (item->state != ARCHIVE_PRESENT ||
        objfile_open(&o, a->expdir, item->key, NULL) < 0)
        return;
    for (u32 i = 1; i < objfile_file_count(o); i++)
        keep(s, objfile_file(o, i));
    objfile_close(o);
}

void
sources_copy(struct archive *a)
{
    struct sources s = {.dir = -1};
    int fd;

    if (!a->writable)
        return;
    s.dir = store_dir(a->archives, "src");
    if (s.dir < 0)
        return;
    store_clean(s.dir);
    fd = openat(s.dir, "index", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
                0600);
    s.index = fd < 0 ? NULL : fdopen(fd, "a");
    for (u32 i = 0; s.index && i < a->item_count; i++)
        keep_object(&s, a, &a->items[i]);
    if (s.index)
        fclose(s.index);
    else if (fd >= 0)
        close(fd);
    close(s.dir);
}
