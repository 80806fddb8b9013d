/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the directories and files of an imported experiment. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "import/copies.h"
#include "import/kernel.h"
#include "import/names.h"
#include "import/write.h"
#include "share/experiment.h"
#include "share/record.h"
#include "share/writeall.h"

enum {
    NAME_LONGEST = 120, /* bytes of a descendant's name; instead of a longer one: _dN */
};

/* The processes for which experiments are made, the founder first. */
struct family {
    struct import *im;
    u32 *member; /* numbers of processes; 0 = whole_system(), as the founder */
    char (*name)[NAME_LONGEST + 16]; /* name of the directory, "" = the founder */
    u32 *of_process;   /* index in `member` + 1; 0 = no member */
    u32 (*made)[2];    /* by process: members that it created so far, by fork and by
                          exec */
    u32 count;
};

static void
add_members(struct family *f, bool roots)
{
    for (u32 i = 1; i <= f->im->nprocesses; i++) {
        const struct import_process *p = &f->im->process[i - 1];

        if (p->has_hits && (p->creator == 0) == roots) {
            f->member[f->count] = i;
            f->of_process[i] = ++f->count;
        }
    }
}

static int
make_family(struct family *f)
{
    struct import *im = f->im;
    u32 roots = 0;

    f->member = calloc((size_t)im->nprocesses + 1, sizeof(*f->member));
    f->name = calloc((size_t)im->nprocesses + 1, sizeof(*f->name));
    f->of_process = calloc((size_t)im->nprocesses + 1, sizeof(*f->of_process));
    f->made = calloc((size_t)im->nprocesses + 1, sizeof(*f->made));
    if (!f->member || !f->name || !f->of_process || !f->made)
        return -ENOMEM;
    /*
     * Skip processes without hits: what they created counts as created by their
     * creator.
     */
    for (u32 i = 1; i <= im->nprocesses; i++) {
        struct import_process *p = &im->process[i - 1];

        while (p->creator && !im->process[p->creator - 1].has_hits) {
            const struct import_process *skipped = &im->process[p->creator - 1];

            p->how = skipped->how == 'f' ? 'f' : p->how;
            p->creator = skipped->creator;
        }
        roots += p->has_hits && !p->creator;
    }
    if (!roots)
        return -ENOENT;
    f->count = roots > 1;
    add_members(f, true);
    add_members(f, false);
    return 0;
}

/* A creator has a lower number than what it created, so its name is made first. */
static void
name_family(struct family *f)
{
    for (u32 i = 1; i < f->count; i++) {
        const struct import_process *p = &f->im->process[f->member[i] - 1];
        const char *stem = p->creator ? f->name[f->of_process[p->creator] - 1] : "";
        bool exec = p->how == 'x';
        int n = -1;

        if (p->creator)
            n = snprintf(f->name[i], NAME_LONGEST, "%s_%c%u", stem, "fx"[exec],
                         ++f->made[p->creator][exec]);
        if (n < 0 || n >= NAME_LONGEST)
            snprintf(f->name[i], NAME_LONGEST, "_d%u", i);
    }
}

/* Makes a file with the contents of `head`, followed by those of `data`. */
static int
save_parts(int dir, const char *name, struct bytes head, struct bytes data)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), ret;

    if (fd < 0)
        return -errno;
    ret = writeall(fd, head.at, head.size);
    if (ret == 0)
        ret = writeall(fd, data.at, data.size);
    if (close(fd) < 0 && ret == 0)
        ret = -errno;
    return ret;
}

static int
save(int dir, const char *name, const void *data, size_t len)
{
    return save_parts(dir, name, (struct bytes){ NULL, 0 },
                      (struct bytes){ data, len });
}

_Static_assert(sizeof(struct import_node) == ER_NODE_BYTES,
               "save_nodes() encodes each node in its place");

/* Writes the nodes and frees them: they are encoded where they are, to save memory. */
static int
save_nodes(int dir, struct import_process *p)
{
    unsigned char head[ER_NODE_BYTES] = "ERNODES1";
    unsigned char *data = (unsigned char *)p->node;
    int ret;

    hash_free(&p->nodes);
    for (u32 i = 0; i < p->nnodes; i++) {
        const struct import_node n = p->node[i];

        rec_put_node(NULL, data + (size_t)i * ER_NODE_BYTES,
                     &(struct rec_node){ n.parent, n.object, n.pc, (u32)n.flags });
    }
    ret = save_parts(dir, er_files[FILE_frameinfo].name,
                     (struct bytes){ head, sizeof(head) },
                     (struct bytes){ data, (size_t)p->nnodes * ER_NODE_BYTES });
    free(p->node);
    p->node = NULL;
    p->nnodes = 0;
    return ret;
}

static int
save_threads(int dir, const struct import *im, const struct import_process *p)
{
    size_t len = ((size_t)p->nthreads + 1) * ER_THREAD_BYTES;
    unsigned char *data = calloc(1, len);
    int ret;

    if (!data)
        return -ENOMEM;
    for (u32 i = 0; i < p->nthreads; i++) {
        const struct import_thread *t = &p->thread[i];
        struct rec_thread row = { .id = i + 1, .tid = t->tid, .birth = t->birth };

        if (im->has_heap)
            row.heap_seen = t->hits;
        else if (im->has_clock)
            row.seen = t->hits;
        else
            row.count_seen = t->hits;
        memcpy(row.name.c, t->name, sizeof(row.name.c));
        rec_put_thread(NULL, data + (size_t)(i + 1) * ER_THREAD_BYTES, &row);
    }
    ret = save(dir, er_files[FILE_threads].name, data, len);
    free(data);
    return ret;
}

static int
save_text(int dir, const struct import *im, const struct import_process *p,
          const char *creator)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    int ret = -ENOMEM;

    if (f) {
        write_log(im, p, creator, f);
        if (fclose(f) == 0)
            ret = save(dir, EXPERIMENT_LOG, text, len);
        free(text);
    }
    f = ret == 0 ? open_memstream(&text, &len) : NULL;
    if (f) {
        write_map(p, f);
        ret = fclose(f) == 0 ? save(dir, EXPERIMENT_MAP, text, len) : -ENOMEM;
        free(text);
    }
    return ret;
}

static int
save_chunks(int dir, struct chunkfile *f)
{
    int ret;

    chunkfile_seal(f);
    ret = save(dir, er_files[f->file].name, f->data, f->next);
    chunkfile_free(f);
    return ret;
}

static int
save_process(int dir, struct import *im, struct import_process *p, const char *creator)
{
    int ret = save_text(dir, im, p, creator);

    if (ret == 0)
        ret = save(dir, er_files[FILE_overview].name, "", 0);
    if (ret == 0)
        ret = save_nodes(dir, p);
    if (ret == 0)
        ret = save_threads(dir, im, p);
    if (ret == 0 && im->has_clock)
        ret = save_chunks(dir, &p->profile);
    if (ret == 0 && (im->ncounters || im->has_branches))
        ret = save_chunks(dir, &p->counters);
    if (ret == 0 && im->has_heap)
        ret = save_chunks(dir, &p->heap);
    return ret;
}

/*
 * A process that stands for the whole system, if the processes have no common ancestor.
 */
static struct import_process
whole_system(const struct import *im)
{
    struct import_process p = { .name = "the system", .start = UINT64_MAX,
                                .profile = { .file = FILE_profile },
                                .counters = { .file = FILE_hwcounters },
                                .heap = { .file = FILE_heaptrace } };

    for (u32 i = 0; i < im->nprocesses; i++) {
        const struct import_process *one = &im->process[i];

        if (!one->has_hits)
            continue;
        p.start = one->start < p.start ? one->start : p.start;
        p.end = one->end > p.end ? one->end : p.end;
    }
    return p;
}

static int
save_member(const struct family *f, u32 i, int founder)
{
    struct import *im = f->im;
    struct import_process *p = &im->process[f->member[i] - 1];
    const char *creator = p->creator ? f->name[f->of_process[p->creator] - 1] : NULL;
    char name[NAME_LONGEST + 32], of[NAME_LONGEST + 32] = "";
    int dir, ret;

    snprintf(name, sizeof(name), "%s" EXPERIMENT_SUFFIX, f->name[i]);
    if (creator && *creator)
        snprintf(of, sizeof(of), "%s" EXPERIMENT_SUFFIX, creator);
    if (mkdirat(founder, name, 0700) < 0)
        return -errno;
    dir = openat(founder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (dir < 0)
        return -errno;
    ret = save_process(dir, im, p, creator ? of : NULL);
    close(dir);
    return ret;
}

static int
save_family(const struct family *f, int dir)
{
    struct import_process all = whole_system(f->im);
    struct import_process *founder =
        f->member[0] ? &f->im->process[f->member[0] - 1] : &all;
    int ret = save_process(dir, f->im, founder, NULL);

    for (u32 i = 1; i < f->count && ret == 0; i++)
        ret = save_member(f, i, dir);
    return ret;
}

static int
remove_one(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
    (void)st;
    (void)what;
    (void)ftw;
    return remove(path);
}

static void
ignore_message(bool error, const char *sentence)
{
    (void)error;
    (void)sentence;
}

int
import_write(struct import *im, const char *path)
{
    struct archive_options options = { .mode = ARCHIVE_ON, .notify = ignore_message };
    struct family f = { .im = im };
    int ret = im->failed ? -ENOMEM : make_family(&f), dir = -1;
    bool made = false;

    if (ret == 0) {
        name_family(&f);
        made = mkdir(path, 0700) == 0;
        ret = made ? 0 : -errno;
    }
    if (ret == 0) {
        dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        ret = dir < 0 ? -errno : save_family(&f, dir);
    }
    if (ret == 0)
        ret = kernel_describe(im, dir);
    if (ret == 0)
        ret = names_describe(im, dir);
    if (ret == 0)
        ret = copies_describe(im, dir);
    if (dir >= 0)
        close(dir);
    if (ret == 0)
        (void)archive_experiment(path, &options);
    else if (made)
        nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(f.member);
    free(f.name);
    free(f.of_process);
    free(f.made);
    return ret;
}
