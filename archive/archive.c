/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/index.h"
#include "archive/item.h"
#include "archive/sources.h"
#include "archive/store.h"
#include "archive/tidy.h"

#define THREADS_MAX 16
#define CACHE_MIB_DEFAULT 2048

static void __attribute__((format(printf, 3, 4)))
notify(const struct archive *a, bool error, const char *format, ...)
{
    char sentence[8192];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof(sentence), format, args);
    va_end(args);
    a->options->notify(error, sentence);
}

/* Reads the map of one experiment and adds it to the list of maps. */
static int
add_map(struct archive *a, int dir, const char *name)
{
    struct mapxml *maps =
        realloc(a->maps, (a->map_count + 1) * sizeof(*maps));
    int status;

    if (!maps)
        return -ENOMEM;
    a->maps = maps;
    status = mapxml_read(&maps[a->map_count], dir);
    if (status < 0)
        return status;
    if (maps[a->map_count].malformed > 0)
        notify(a, false, "%s/map.xml: offset %zu: %u malformed element%s left out",
               name,
             maps[a->map_count].bad_at, maps[a->map_count].malformed,
             maps[a->map_count].malformed > 1 ? "s" : "");
    a->map_count++;
    return 0;
}

static void
add_sub_map(void *context, int dir, const char *path)
{
    struct archive *a = context;
    int status = add_map(a, dir, path);

    if (status < 0)
        notify(a, false, "%s: its map.xml cannot be read: %s", path, strerror(-status));
}

static int
compare_items(const void *a, const void *b)
{
    const struct archive_item *x = a, *y = b;

    return strcmp(x->key, y->key);
}

/*
 * Can er_archive describe the object? It describes files, and a vdso that has a
 * build-id. Functions made at run time are recorded in the file madecode.
 */
static bool
is_describable(const struct mapxml_object *o)
{
    return (strcmp(o->kind, "file") == 0 && o->name[0] == '/') ||
           (strcmp(o->kind, "vdso") == 0 && o->buildid[0]);
}

/* Makes one item for each distinct object in all maps. */
static int
make_items(struct archive *a)
{
    u32 total = 0, n = 0;

    for (u32 m = 0; m < a->map_count; m++)
        total += a->maps[m].count;
    a->items = calloc(total + 1, sizeof(*a->items));
    if (!a->items)
        return -ENOMEM;
    for (u32 m = 0; m < a->map_count; m++) {
        for (u32 i = 0; i < a->maps[m].count; i++) {
            const struct mapxml_object *o = &a->maps[m].objects[i];
            struct objfile_id id = {o->name,  o->buildid, o->dev,
                                    o->inode, o->fsize,   o->mtime};

            if (is_describable(o) && objfile_key(a->items[n].key, &id) == 0)
                a->items[n++].object = o;
        }
    }
    qsort(a->items, n, sizeof(*a->items), compare_items);
    for (u32 i = 0; i < n; i++)
        if (i == 0 || strcmp(a->items[i].key, a->items[a->item_count - 1].key) != 0)
            a->items[a->item_count++] = a->items[i];
    return 0;
}

/* Work for several threads: each takes the next item, until none is left. */
struct work {
    struct archive *archive;
    atomic_uint next;
};

static void *
work_run(void *context)
{
    struct work *work = context;
    u32 i;

    while ((i = atomic_fetch_add(&work->next, 1)) < work->archive->item_count)
        if (work->archive->items[i].state == ARCHIVE_WANTED)
            item_describe(work->archive, &work->archive->items[i]);
    return NULL;
}

static u32
processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) < 0)
        return 1;
    return (u32)CPU_COUNT(&set);
}

static void
describe_wanted(struct archive *a, u32 wanted)
{
    struct work work = {.archive = a};
    pthread_t threads[THREADS_MAX];
    u32 more = processors() - 1, started = 0;

    if (more > THREADS_MAX)
        more = THREADS_MAX;
    if (more > wanted - 1)
        more = wanted - 1;
    while (started < more &&
           pthread_create(&threads[started], NULL, work_run, &work) == 0)
        started++;
    work_run(&work);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

/* The size limit of the cache in bytes: ERTOOLS_CACHE_SIZE (in MiB), else 2 GiB. */
static u64
cache_limit(void)
{
    const char *text = secure_getenv("ERTOOLS_CACHE_SIZE");
    char *end;
    u64 mib = text ? strtoull(text, &end, 10) : 0;

    if (!text || end == text || *end || mib > UINT32_MAX)
        mib = CACHE_MIB_DEFAULT;
    return mib << 20;
}

static int
archive_items(struct archive *a)
{
    u32 wanted = 0;

    for (u32 i = 0; i < a->item_count; i++) {
        item_check_present(a, &a->items[i]);
        wanted += a->items[i].state == ARCHIVE_WANTED;
    }
    if (wanted > 0 && !a->writable && a->cache < 0) {
        notify(a, true, "%s: neither its archives directory nor a cache can be written",
               a->name);
        return -EROFS;
    }
    if (wanted > 0) {
        if (a->cache >= 0)
            store_clean(a->cache);
        describe_wanted(a, wanted);
        if (a->cache >= 0)
            store_evict(a->cache, cache_limit());
    }
    if (a->options->mode == ARCHIVE_COPY || a->options->mode == ARCHIVE_SRC)
        for (u32 i = 0; i < a->item_count; i++)
            item_copy(a, &a->items[i]);
    if (a->options->mode == ARCHIVE_SRC)
        sources_copy(a);
    if (a->writable)
        index_write(a);
    return 0;
}

/*
 * Reports all warnings. Returns how many there are; or -EROFS if the description of
 * some object could not be written anywhere.
 */
static int
report(struct archive *a)
{
    int count = 0, fatal = 0;

    for (u32 i = 0; i < a->item_count; i++) {
        if (!a->items[i].warning)
            continue;
        count++;
        fatal += a->items[i].fatal;
        notify(a, a->items[i].fatal, "%s", a->items[i].warning);
    }
    return fatal ? -EROFS : count;
}

/* Opens archives/; creates the directory if it is missing and may be created. */
static void
open_archives(struct archive *a)
{
    a->archives = store_dir(a->expdir, "archives");
    a->writable =
        a->archives >= 0 && faccessat(a->archives, ".", W_OK, AT_EACCESS) == 0;
    if (!a->writable)
        return;
    store_clean(a->archives);
    sources_clean(a->archives);
}

static int
archive_opened(struct archive *a)
{
    int status = add_map(a, a->expdir, a->name);

    if (status == -ENOENT || status == -ENOTDIR)
        status = -EINVAL;
    if (status < 0) {
        notify(a, true, "%s is not an experiment: its map.xml cannot be read", a->name);
        return status;
    }
    tidy(a->expdir, !a->options->founder_only);
    if (a->options->mode == ARCHIVE_OFF)
        return 0;
    if (!a->options->founder_only)
        archiving_subs(a, add_sub_map, a);
    if (status == 0)
        status = make_items(a);
    if (status < 0) {
        notify(a, true, "%s: %s", a->name, strerror(-status));
        return status;
    }
    open_archives(a);
    a->cache = objfile_cache_dir(true);
    status = archive_items(a);
    return status < 0 ? status : report(a);
}

int
archive_experiment(const char *name, const struct archive_options *options)
{
    struct archive a = {.options = options, .name = name, .archives = -1, .cache = -1};
    int status;

    a.expdir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (a.expdir < 0) {
        status = -errno;
        notify(&a, true, "%s: %s", name,
             status == -ENOENT ? "there is no such experiment" : strerror(-status));
        return status == -ENOTDIR ? -EINVAL : status;
    }
    status = archive_opened(&a);
    for (u32 i = 0; i < a.item_count; i++)
        free(a.items[i].warning);
    free(a.items);
    for (u32 i = 0; i < a.map_count; i++)
        mapxml_free(&a.maps[i]);
    free(a.maps);
    if (a.archives >= 0)
        close(a.archives);
    if (a.cache >= 0)
        close(a.cache);
    close(a.expdir);
    return status;
}
