/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/proc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "collector/attach/debugger.h"
#include "share/readfile.h"

enum {
    STATUS_BYTES = 4096,
    THREADS_FIRST = 64,
    PAGE = 4096,
    PIECES = 65, /* pages that are read at once */
};

static int
parse_map(const char *line, struct proc_map *map)
{
    char rights[5];
    int end = 0;

    if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &map->lo, &map->hi, rights,
               &map->offset, &map->major, &map->minor, &map->inode, &end) < 7)
        return -EINVAL;
    map->readable = rights[0] == 'r';
    map->writable = rights[1] == 'w';
    map->executable = rights[2] == 'x';
    snprintf(map->path, sizeof(map->path), "%s", line + end);
    map->path[strcspn(map->path, "\n")] = '\0';
    return 0;
}

int
proc_maps(pid_t pid, int (*each)(const struct proc_map *map, void *arg), void *arg)
{
    struct proc_map map;
    char name[64], *line = NULL;
    size_t room = 0;
    int ret = 0;
    FILE *f;

    snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
    f = fopen(name, "re");
    if (!f)
        return -errno;
    while (ret == 0 && getline(&line, &room, f) > 0)
        if (parse_map(line, &map) == 0)
            ret = each(&map, arg);
    free(line);
    fclose(f);
    return ret;
}

struct search {
    u64 address;
    struct proc_map *found;
};

static int
is_in(const struct proc_map *map, void *arg)
{
    struct search *s = arg;

    if (s->address < map->lo || s->address >= map->hi)
        return 0;
    *s->found = *map;
    return 1;
}

int
proc_map_of(pid_t pid, u64 address, struct proc_map *map)
{
    struct search s = { address, map };

    return proc_maps(pid, is_in, &s) == 1 ? 0 : -ENOENT;
}

int
proc_threads(pid_t pid, pid_t **tids)
{
    size_t count = 0, room = THREADS_FIRST;
    pid_t *list = malloc(room * sizeof(*list));
    struct dirent *entry;
    char name[64];
    DIR *dir;

    snprintf(name, sizeof(name), "/proc/%d/task", (int)pid);
    dir = opendir(name);
    while (dir && list && (entry = readdir(dir))) {
        pid_t tid = (pid_t)atoi(entry->d_name), *more = list;

        if (tid <= 0)
            continue;
        if (count == room)
            more = realloc(list, (room *= 2) * sizeof(*list));
        if (!more)
            break;
        list = more;
        list[count++] = tid;
    }
    if (dir)
        closedir(dir);
    if (!dir || !list || !count) {
        free(list);
        return list ? -ESRCH : -ENOMEM;
    }
    *tids = list;
    return (int)count;
}

static size_t
read_head(pid_t pid, pid_t tid, const char *what, char *text, size_t size)
{
    char name[96];

    snprintf(name, sizeof(name), "/proc/%d/task/%d/%s", (int)pid, (int)tid, what);
    return readfile_head(name, text, size);
}

u64
proc_status(pid_t pid, pid_t tid, const char *name, int base, u64 none)
{
    char text[STATUS_BYTES], key[32], *at;

    read_head(pid, tid, "status", text, sizeof(text));
    snprintf(key, sizeof(key), "\n%s", name);
    at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, base) : none;
}

char
proc_state(pid_t pid, pid_t tid)
{
    char text[STATUS_BYTES], *at;

    read_head(pid, tid, "status", text, sizeof(text));
    at = strstr(text, "\nState:\t");
    return at ? at[8] : 0;
}

long
proc_syscall(pid_t pid, pid_t tid)
{
    char text[256];

    read_head(pid, tid, "syscall", text, sizeof(text));
    return text[0] >= '0' && text[0] <= '9' ? strtol(text, NULL, 10) : -1;
}

pid_t
proc_inner_id(pid_t pid, pid_t tid)
{
    char text[STATUS_BYTES], *at, *end;
    pid_t id = tid;

    read_head(pid, tid, "status", text, sizeof(text));
    at = strstr(text, "\nNSpid:");
    if (!at)
        return tid;
    /*
     * The line lists the ids in all namespaces, from ours (or that of /proc) to the
     * innermost one.
     */
    for (at += strlen("\nNSpid:"); *at == '\t'; at = end) {
        id = (pid_t)strtol(at, &end, 10);
        if (end == at)
            break;
    }
    return id;
}

/*
 * Is the process in our namespace of this kind (a name in /proc/PID/ns)? 1 also if that
 * is not known.
 */
static int
has_our_namespace(pid_t pid, const char *kind)
{
    struct stat ours, its;
    char here[64], there[64];

    snprintf(here, sizeof(here), "/proc/self/ns/%s", kind);
    snprintf(there, sizeof(there), "/proc/%d/ns/%s", (int)pid, kind);
    return stat(here, &ours) < 0 || stat(there, &its) < 0 ||
           (ours.st_ino == its.st_ino && ours.st_dev == its.st_dev);
}

int
proc_has_our_ids(pid_t pid)
{
    return has_our_namespace(pid, "pid");
}

int
proc_has_our_mounts(pid_t pid)
{
    return has_our_namespace(pid, "mnt");
}

void
proc_name(pid_t pid, char name[64])
{
    read_head(pid, pid, "comm", name, 64);
    name[strcspn(name, "\n")] = '\0';
}

int
proc_read(pid_t pid, u64 from, void *to, size_t bytes)
{
    struct iovec here = { to, bytes }, there = { (void *)(uintptr_t)from, bytes };

    if (process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)bytes)
        return 0;
    return errno == EPERM && debugger_answers() ? debugger_read(from, to, bytes)
                                                : -EFAULT;
}

/*
 * Use one iovec for each page: the kernel copies each iovec completely or not at all.
 */
long
proc_read_some(pid_t pid, u64 from, void *to, size_t bytes)
{
    struct iovec here = { to, bytes }, there[PIECES];
    size_t n = 0, left = bytes;
    struct proc_map map;
    ssize_t got;

    for (u64 at = from; left && n < PIECES; n++) {
        size_t some = PAGE - (at & (PAGE - 1));

        some = some < left ? some : left;
        there[n] = (struct iovec){ (void *)(uintptr_t)at, some };
        at += some;
        left -= some;
    }
    got = process_vm_readv(pid, &here, 1, there, n, 0);
    if (got >= 0 || errno != EPERM || !debugger_answers())
        return got >= 0 ? got : -errno;
    if (proc_map_of(pid, from, &map) < 0)
        return -EFAULT;
    bytes = map.hi - from < bytes ? map.hi - from : bytes;
    return debugger_read(from, to, bytes) < 0 ? -EFAULT : (long)bytes;
}

int
proc_write(pid_t pid, u64 to, const void *from, size_t bytes)
{
    struct iovec here = { (void *)(uintptr_t)from, bytes };
    struct iovec there = { (void *)(uintptr_t)to, bytes };

    if (process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)bytes)
        return 0;
    return errno == EPERM && debugger_answers() ? debugger_write(to, from, bytes)
                                                : -EFAULT;
}
