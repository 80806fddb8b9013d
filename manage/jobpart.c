/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/jobpart.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/load/experiment.h"
#include "share/err.h"

#define SUFFIX ".er"

enum {
    RANK_DIGITS = 7,
    SHOWN_RANKS = 8,
};

/*
 * The rank in a name: 12 in M_r12.er and M_r12_f1.er. Returns where the number ends;
 * NULL for another name.
 */
static const char *
rank_name(const char *name, u32 *rank)
{
    char *end;

    if (strncmp(name, "M_r", 3) || name[3] < '0' || name[3] > '9')
        return NULL;
    *rank = (u32)strtoul(name + 3, &end, 10);
    if (end - name - 3 > RANK_DIGITS || (name[3] == '0' && end - name > 4))
        return NULL;
    return !strcmp(end, SUFFIX) || *end == '_' ? end : NULL;
}

/*
 * The number of ranks that mpirun started, as logged when MPI_Init() returned; 0 = not
 * logged, or the rank was spawned by another.
 */
static u32
world_of(int dir, const char *name)
{
    const struct log_event_row *init;
    struct experiment *e;
    char *path, *why = NULL;
    u64 size = 0;

    if (asprintf(&path, "/proc/self/fd/%d/%s", dir, name) < 0)
        return 0;
    if (experiment_open(&e, path, &why) == 0) {
        init = log_find_event(&e->log, "mpi_init");
        if (init && !log_event_number(init, "spawned", 0))
            size = log_event_number(init, "size", 0);
        experiment_close(e);
    }
    free(path);
    free(why);
    return size <= 1u << 20 ? (u32)size : 0;
}

static int
refuse(const struct place *source, const char *name, const char *what)
{
    struct place p;

    if (place_open_in(&p, source, name) == 0)
        err_warn("%s %s", p.shown, what);
    place_close(&p);
    return 1;
}

static struct jobpart *
new_part(struct jobparts *parts, const char *name)
{
    struct jobpart *at = parts->part;

    if (parts->count == parts->room) {
        u32 room = parts->room ? parts->room * 2 : 64;

        at = realloc(at, room * sizeof(*at));
        if (!at)
            return NULL;
        parts->part = at;
        parts->room = room;
    }
    at += parts->count;
    *at = (struct jobpart){ .name = strdup(name) };
    if (!at->name)
        return NULL;
    parts->count++;
    return at;
}

static int
add_part(struct jobparts *parts, u32 source, int dir, const char *name)
{
    const struct place *from = &parts->source[source];
    struct jobpart *part;
    const char *end;
    struct stat st;
    u32 rank = 0;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return refuse(from, name, "cannot be looked at");
    if (S_ISLNK(st.st_mode))
        return refuse(from, name, "is a symbolic link, and no part of a job");
    if (!S_ISDIR(st.st_mode))
        return refuse(from, name, "is no experiment");
    end = rank_name(name, &rank);
    if (!end && !strncmp(name, "M_", 2))
        return refuse(from, name, "does not have the name of a rank");
    part = new_part(parts, name);
    if (!part) {
        err_warn("no memory is left");
        return 1;
    }
    part->source = source;
    part->rank = rank;
    part->is_rank = end && *end == '.';
    part->world = part->is_rank ? world_of(dir, name) : 0;
    return 0;
}

/*
 * Warn of a file with data that a founder itself has recorded, and not a rank: it is
 * not gathered. Only the first founder is copied as a whole.
 */
static void
check_file(const struct jobparts *parts, u32 source, int dir, const char *name)
{
    static const char *const known[] = {
        "log.xml", "map.xml", "notes", "archives",
        "frameinfo", /* stacks that no record refers to */
    };
    struct stat st;

    for (u32 i = 0; i < ER_COUNT(known); i++)
        if (!strcmp(name, known[i]))
            return;
    if (source > 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        (!S_ISREG(st.st_mode) || st.st_size > 0))
        refuse(&parts->source[source], name, "is not of a rank, and is not gathered");
}

/*
 * Read the job's name, and check that all founders have the same. A name that begins
 * with "parent" is ignored: it was made from the process that started the ranks, and
 * differs on each host. 0; or 1, after a message.
 */
static int
check_job(struct jobparts *parts, u32 source, int dir)
{
    int fd = openat(dir, MPIJOB_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char job[MPIJOB_BYTES] = "";
    ssize_t len = fd < 0 ? 0 : read(fd, job, sizeof(job) - 1);

    if (fd >= 0)
        close(fd);
    if (len <= 0 || !strncmp(job, "parent ", strlen("parent ")))
        return 0;
    if (!*parts->job) {
        memcpy(parts->job, job, sizeof(job));
        parts->of = source;
        return 0;
    }
    if (!strcmp(parts->job, job))
        return 0;
    err_warn("%s is of another job than %s", parts->source[source].shown,
             parts->source[parts->of].shown);
    return 1;
}

int
jobparts_add(struct jobparts *parts, u32 source)
{
    int dir = place_directory(&parts->source[source]), failed;
    DIR *d = dir < 0 ? NULL : fdopendir(dir);
    struct dirent *e;

    if (!d) {
        err_warn("%s: %s", parts->source[source].shown, strerror(errno));
        if (dir >= 0)
            close(dir);
        return 1;
    }
    failed = check_job(parts, source, dir);
    while (!failed && (e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        if (place_ends(e->d_name, SUFFIX))
            failed = add_part(parts, source, dir, e->d_name);
        else
            check_file(parts, source, dir, e->d_name);
    }
    closedir(d);
    return failed;
}

static int
compare_parts(const void *a, const void *b)
{
    const struct jobpart *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->source > y->source) - (x->source < y->source);
}

bool
jobparts_fit(struct jobparts *parts)
{
    const struct jobpart *told = NULL, *p = parts->part;

    if (parts->count)
        qsort(parts->part, parts->count, sizeof(*parts->part), compare_parts);
    for (u32 i = 0; i < parts->count; i++) {
        if (i && !strcmp(p[i].name, p[i - 1].name)) {
            refuse(&parts->source[p[i].source], p[i].name, "is in two of them");
            return false;
        }
        if (told && p[i].world && p[i].world != told->world) {
            err_warn("%s is of a job of %u ranks, %s of one of %u",
                     parts->source[told->source].shown, told->world,
                     parts->source[p[i].source].shown, p[i].world);
            return false;
        }
        if (p[i].world)
            told = &p[i];
    }
    for (u32 i = 0; i < parts->count; i++)
        if (p[i].is_rank)
            return true;
    err_warn("there is no rank of an MPI job in any of them");
    return false;
}

static bool
has_rank(const struct jobparts *parts, u32 rank)
{
    u32 low = 0, high = parts->count;
    char name[32];

    snprintf(name, sizeof(name), "M_r%u" SUFFIX, rank);
    while (low < high) {
        u32 mid = low + (high - low) / 2;

        if (strcmp(parts->part[mid].name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < parts->count && !strcmp(parts->part[low].name, name);
}

void
jobparts_missing(const struct jobparts *parts)
{
    char text[SHOWN_RANKS * (RANK_DIGITS + 3) + 8] = "";
    u32 world = 0, missing = 0;
    size_t len = 0;

    for (u32 i = 0; i < parts->count; i++)
        world = parts->part[i].world ? parts->part[i].world : world;
    for (u32 rank = 0; rank < world; rank++)
        if (!has_rank(parts, rank) && missing++ < SHOWN_RANKS)
            len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%u",
                                    len ? ", " : "", rank);
    if (missing)
        err_warn("of %u ranks, %u %s in none of them: %s%s", world, missing,
                 missing == 1 ? "is" : "are", text,
                 missing > SHOWN_RANKS ? " ..." : "");
}

void
jobparts_free(struct jobparts *parts)
{
    for (u32 i = 0; i < parts->count; i++)
        free(parts->part[i].name);
    free(parts->part);
}
