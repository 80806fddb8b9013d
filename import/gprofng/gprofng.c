/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the directories that are experiments of gprofng or of Oracle Studio's
 * collector.
 */
#include "import/gprofng/gprofng.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/slurp.h"
#include "print/base/array.h"

enum {
    SUBS_MOST = 100000,
    NAME_MOST = 256,
};

/* A sub-experiment. Its name says what created it: _f1_x2.er was created by _f1.er. */
struct sub {
    char name[NAME_MOST];
    size_t stem; /* length of the name without ".er" */
    u32 process;
};

/* Reads a file of the directory; *out is empty if the file is missing. */
static void
read_file(const char *dir, const char *name, struct slurp *out)
{
    char *path = NULL;

    *out = (struct slurp){ .map = NULL };
    if (asprintf(&path, "%s/%s", dir, name) < 0)
        return;
    if (slurp_open(out, path) < 0)
        *out = (struct slurp){ .map = NULL };
    free(path);
}

static int
add_tables(const struct gprofng_where *w, const struct gprofng_source *source)
{
    int ret = 0;

    for (u32 i = 0; i < w->log->ntables && ret == 0; i++) {
        const struct gprofng_table *t = &w->log->table[i];
        struct slurp file = { .map = NULL };

        switch (t->kind) {
        case GPROFNG_CLOCK_OLD:
        case GPROFNG_CLOCK:
        case GPROFNG_COUNT:
        case GPROFNG_COUNT_MEMORY:
        case GPROFNG_HEAP:
        case GPROFNG_SYNC:
        case GPROFNG_IO:
            break;
        default:
            import_add_note(w->im, "%s is left out: er_import does not know such data",
                            t->file);
            continue;
        }
        if (source->path)
            read_file(source->path, t->file, &file);
        ret = gprofng_add(w, t, source->path ? file.bytes : source->data);
        slurp_close(&file);
    }
    return ret;
}

int
gprofng_process(struct import *im, const struct gprofng_source *source, u32 creator,
                char how, u32 *process)
{
    struct gprofng_map map = { .count = 0 };
    struct hash threads = { .count = 0 };
    struct gprofng_where w = { .im = im, .map = &map, .threads = &threads };
    struct gprofng_log *log = malloc(sizeof(*log));
    int ret = log ? gprofng_log_read(im, source->log, log) : -ENOMEM;

    w.log = log;
    if (ret == 0)
        ret = gprofng_map_read(im, log, source->map, &map);
    if (ret == 0)
        ret = gprofng_frames_read(&w.frames, source->frames, log->word);
    if (ret == 0) {
        *process = w.process = import_process(im, log->pid, log->ppid, log->start);
        ret = w.process ? 0 : -ENOMEM;
    }
    if (ret == 0) {
        struct import_process *p = &im->process[w.process - 1];
        size_t len = strcspn(log->command, " ");

        p->creator = creator;
        p->how = how;
        /* A forked child has "(" here: it runs the same program as its creator. */
        p->name = creator && log->command[0] == '('
                      ? im->process[creator - 1].name
                      : import_text(im, log->command, len);
        if (!creator) {
            im->command = log->command;
            im->tool = import_text(im, log->version, NAME_MOST);
        }
        ret = add_tables(&w, source);
    }
    gprofng_frames_free(w.frames);
    hash_free(&threads);
    free(map.segment);
    free(log);
    return ret;
}

static int
read_dir(struct import *im, const char *path, struct bytes log, u32 creator, char how,
         u32 *process)
{
    struct gprofng_source source = { .log = log, .path = path };
    struct slurp own = { .map = NULL }, map, frames;
    int ret;

    if (!log.at) {
        read_file(path, "log.xml", &own);
        source.log = own.bytes;
    }
    read_file(path, "map.xml", &map);
    read_file(path, "data.frameinfo", &frames);
    source.map = map.bytes;
    source.frames = frames.bytes;
    ret = gprofng_process(im, &source, creator, how, process);
    slurp_close(&own);
    slurp_close(&map);
    slurp_close(&frames);
    return ret;
}

static int
by_length(const void *a, const void *b)
{
    const struct sub *x = a, *y = b;

    if (x->stem != y->stem)
        return x->stem < y->stem ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Lists the sub-experiments so that creators come before what they created. */
static int
list_subs(const char *path, struct sub **out, u32 *count)
{
    DIR *dir = opendir(path);
    const struct dirent *e;
    u32 room = 0;
    int ret = 0;

    *out = NULL;
    *count = 0;
    while (dir && ret == 0 && *count < SUBS_MOST && (e = readdir(dir))) {
        size_t len = strlen(e->d_name);
        struct sub *sub;

        if (e->d_name[0] != '_' || len < 5 || len >= NAME_MOST ||
            strcmp(e->d_name + len - 3, ".er"))
            continue;
        ret = array_room_zero(out, &room, *count + 1, sizeof(**out));
        if (ret < 0)
            break;
        sub = &(*out)[(*count)++];
        snprintf(sub->name, sizeof(sub->name), "%s", e->d_name);
        sub->stem = len - 3;
    }
    if (dir)
        closedir(dir);
    if (*count)
        qsort(*out, *count, sizeof(**out), by_length);
    return ret;
}

/* The process that created the sub-experiment `of`, by its name. */
static u32
creator_of(const struct sub *sub, u32 count, const struct sub *of, u32 founder,
           char *how)
{
    size_t len = of->stem;

    while (len && of->name[len - 1] != '_')
        len--;
    *how = of->name[len] == 'x' ? 'x' : 'f';
    for (u32 i = 0; len > 1 && i < count; i++)
        if (sub[i].stem == len - 1 && !memcmp(sub[i].name, of->name, len - 1))
            return sub[i].process;
    return founder;
}

static int
read_subs(struct import *im, u32 founder)
{
    struct sub *sub;
    u32 count;
    int ret = list_subs(im->file, &sub, &count);

    for (u32 i = 0; i < count && ret == 0; i++) {
        char how, *path = NULL;
        u32 creator = creator_of(sub, count, &sub[i], founder, &how);

        if (asprintf(&path, "%s/%s", im->file, sub[i].name) < 0) {
            ret = -ENOMEM;
            break;
        }
        ret = read_dir(im, path, (struct bytes){ NULL, 0 }, creator, how,
                       &sub[i].process);
        free(path);
        if (ret == -ENOMEM)
            break;
        if (ret < 0)
            import_add_note(im, "%s is left out: it cannot be read", sub[i].name);
        ret = 0;
    }
    free(sub);
    return ret;
}

/* file: the contents of log.xml in the directory im->file. */
int
import_gprofng(struct import *im, struct bytes file)
{
    u32 founder = 0;
    int ret = read_dir(im, im->file, file, 0, 0, &founder);

    return ret == 0 ? read_subs(im, founder) : ret;
}
