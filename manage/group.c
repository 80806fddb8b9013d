/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manage/tree.h"
#include "share/readfile.h"

enum { SIZE_MOST = 64 << 20 }; /* bytes of a group file */

static int
split_lines(struct group *g)
{
    u32 room = 1;
    char *save, *line;

    for (const char *p = g->text; *p; p++)
        room += *p == '\n';
    g->member = calloc((size_t)room + 1, sizeof(*g->member));
    if (!g->member)
        return -ENOMEM;
    for (line = strtok_r(g->text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        line += strspn(line, " \t");
        line[strcspn(line, "\r")] = '\0';
        if (*line && *line != '#')
            g->member[g->count++] = line;
    }
    return 0;
}

int
group_read(const struct place *p, struct group *out)
{
    struct group g = { 0 };
    size_t size;
    int fd = place_file(p);
    int ret = fd < 0 ? fd : readfile_plain(fd, SIZE_MOST, &g.text, &size);

    if (fd >= 0)
        close(fd);
    if (ret == 0)
        ret = split_lines(&g);
    if (ret < 0)
        group_free(&g);
    else
        *out = g;
    return ret;
}

void
group_free(struct group *g)
{
    free(g->member);
    free(g->text);
}

char *
group_path(const struct place *p, const struct group *g, u32 index)
{
    const char *line = g->member[index], *slash = strrchr(p->path, '/');
    char *path;

    if (line[0] == '/' || !slash)
        return strdup(line);
    if (asprintf(&path, "%.*s/%s", (int)(slash - p->path), p->path, line) < 0)
        return NULL;
    return path;
}

static int
write_lines(int fd, char *const *members, u32 count)
{
    FILE *f = fdopen(fd, "w");
    int err = 0;

    if (!f) {
        err = errno;
        close(fd);
        return -err;
    }
    fputs(GROUP_LINE "\n", f);
    for (u32 i = 0; i < count; i++)
        fprintf(f, "%s\n", members[i]);
    if (fflush(f) || ferror(f))
        err = errno ? errno : EIO;
    if (fclose(f) && !err)
        err = errno ? errno : EIO;
    return -err;
}

int
group_write(int parent, const char *name, char *const *members, u32 count)
{
    char tmp[40];
    int fd, ret;

    snprintf(tmp, sizeof(tmp), ".er_group-%ld", (long)getpid());
    fd = openat(parent, tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -errno;
    ret = write_lines(fd, members, count);
    if (ret == 0)
        ret = tree_rename(parent, tmp, parent, name);
    if (ret < 0)
        unlinkat(parent, tmp, 0);
    return ret;
}
