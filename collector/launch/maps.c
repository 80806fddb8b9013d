/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collector/inspect/elfid.h"
#include "collector/launch/tail.h"
#include "collector/madecode/gdbjit.h"
#include "collector/madecode/jitdump.h"
#include "collector/madecode/madecode_state.h"
#include "share/attach.h"
#include "share/fmt.h"
#include "share/logxml.h"
#include "share/writeall.h"
#include "share/mapname.h"

/*
 * The number that an attribute has in a line that this project wrote. 1 with *value
 * set, or 0.
 */
static int
attribute(const char *line, const char *name, u64 *value)
{
    const char *at = strstr(line, name);

    if (!at)
        return 0;
    *value = strtoull(at + strlen(name), NULL, 0);
    return 1;
}

static void
set_loaded(struct maps *m, u32 id, int loaded)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->object[i].id == id)
            m->object[i].loaded = loaded;
}

static int
add(struct maps *m, struct maps_object object)
{
    if (m->count == m->room) {
        size_t room = m->room ? 2 * m->room : 64;
        struct maps_object *grown = reallocarray(m->object, room, sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        m->object = grown;
        m->room = room;
    }
    m->object[m->count++] = object;
    return 0;
}

int
maps_line(struct maps *m, const char *line)
{
    struct maps_object object = { .loaded = 1 };
    u64 id;

    if (!attribute(line, " id=\"", &id))
        return 0;
    object.id = (u32)id;
    /*
     * A forked child's map begins with its parent's lines. Some may be objects that the
     * launcher has added: do not use their ids again.
     */
    if (object.id >= MAPS_FIRST_ID && object.id - MAPS_FIRST_ID >= m->added)
        m->added = object.id - MAPS_FIRST_ID + 1;
    if (!strncmp(line, "<unload ", 8))
        set_loaded(m, object.id, 0);
    else if (!strncmp(line, "<load ", 6))
        set_loaded(m, object.id, 1);
    else if (!strncmp(line, "<object ", 8) && attribute(line, " lo=\"", &object.lo) &&
             attribute(line, " hi=\"", &object.hi))
        return add(m, object);
    return 0;
}

int
maps_has(const struct maps *m, u64 lo, u64 hi)
{
    /* An object ends where its code ends, but a mapping ends at a page's end. */
    const u64 page = 4095;

    for (size_t i = 0; i < m->count; i++)
        if (m->object[i].loaded && (m->object[i].lo & ~page) <= lo &&
            hi <= ((m->object[i].hi + page) & ~page))
            return 1;
    return 0;
}

void
maps_free(struct maps *m)
{
    free(m->object);
    m->object = NULL;
    m->count = m->room = 0;
}

/* Read the complete lines that were added to map.xml since the last time. */
static int
read_map(struct maps *m, int fd)
{
    char text[8193], *line, *end;
    ssize_t len;

    while ((len = pread(fd, text, sizeof(text) - 1, m->read)) > 0) {
        text[len] = '\0';
        line = text;
        while ((end = strchr(line, '\n'))) {
            *end = '\0';
            if (maps_line(m, line) < 0)
                return -ENOMEM;
            line = end + 1;
        }
        if (line == text)
            break;
        m->read += line - text;
    }
    return 0;
}

/* A line of /proc/PID/maps (proc_pid_maps(5)). */
struct mapping {
    u64 lo, hi, offset, inode;
    unsigned int major, minor;
    char perms[5];
    const char *path; /* "" = anonymous */
};

static int
parse_mapping(const char *line, struct mapping *map)
{
    unsigned long long lo, hi, offset, inode;
    int at = 0;

    if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &lo, &hi, map->perms, &offset,
               &map->major, &map->minor, &inode, &at) < 7)
        return 0;
    map->lo = lo;
    map->hi = hi;
    map->offset = offset;
    map->inode = inode;
    map->path = line + at;
    return strchr(map->perms, 'x') != NULL;
}

static const char *
kind_of(const struct mapping *map)
{
    if (!strcmp(map->path, "[vdso]"))
        return "vdso";
    return map->path[0] == '/' && !maps_is_memory(map->path) ? "file" : "anon";
}

static void
put_file(struct fmt *f, const struct mapping *map, const struct elfid *id)
{
    fmt_attr(f, "buildid", id->buildid);
    fmt_str(f, " dev=\"");
    fmt_hex(f, map->major, 1);
    fmt_char(f, ':');
    fmt_hex(f, map->minor, 1);
    fmt_char(f, '"');
    fmt_attr_u64(f, "inode", map->inode);
    fmt_attr_u64(f, "fsize", (u64)id->st.st_size);
    fmt_attr_u64(f, "mtime",
                 (u64)id->st.st_mtim.tv_sec * 1000000000u +
                     (u64)id->st.st_mtim.tv_nsec);
}

static int
put_object(struct maps *m, int fd, const struct mapping *map)
{
    char line[6 * PATH_MAX + 1024];
    struct fmt f = fmt_start(line, sizeof(line));
    struct elfid id = { .known = 0 };
    int is_file =
        map->path[0] == '/' && !maps_is_memory(map->path) &&
        elfid_read(map->path, makedev(map->major, map->minor),
                                          map->inode, map->offset, &id) == 0;

    fmt_str(&f, "<object");
    fmt_attr_u64(&f, "id", MAPS_FIRST_ID + m->added);
    fmt_attr(&f, "kind", kind_of(map));
    fmt_attr_u64(&f, "time", moment_mono());
    fmt_attr_hex(&f, "bias", id.known ? map->lo - id.vaddr : map->lo - map->offset);
    fmt_attr_hex(&f, "lo", map->lo);
    fmt_attr_hex(&f, "hi", map->hi);
    fmt_attr(&f, "name", map->path);
    if (is_file)
        put_file(&f, map, &id);
    fmt_str(&f, "/>\n");
    m->added++;
    return f.cut ? -E2BIG : writeall(fd, line, (size_t)(f.at - line));
}

static int
is_code_made_at_run_time(const struct mapping *map)
{
    return maps_is_memory(map->path) ||
           (map->path[0] != '/' && strcmp(map->path, "[vdso]") != 0);
}

/*
 * Is this code in no object that the target itself has added to map.xml? An example is
 * V8, which maps its own code a second time.
 */
static int
is_new_to_target(const struct maps *m, const struct mapping *map)
{
    const u64 page = 4095;

    for (size_t i = 0; i < m->count; i++)
        if (m->object[i].loaded && m->object[i].id < MAPS_FIRST_ID &&
            (m->object[i].lo & ~page) < map->hi && map->lo < m->object[i].hi)
            return 0;
    return strcmp(map->path, "[vdso]") != 0;
}

/* Merge the two neighbouring ranges with the smallest gap between them. */
static void
join_nearest(struct maps_code *c)
{
    u32 best = 0;

    for (u32 i = 1; i + 1 < c->count; i++)
        if (c->lo[i + 1] - c->hi[i] < c->lo[best + 1] - c->hi[best])
            best = i;
    c->hi[best] = c->hi[best + 1];
    c->count--;
    for (u32 i = best + 1; i < c->count; i++) {
        c->lo[i] = c->lo[i + 1];
        c->hi[i] = c->hi[i + 1];
    }
}

void
maps_code_add(struct maps_code *c, u64 lo, u64 hi)
{
    if (c->count && c->hi[c->count - 1] == lo) {
        c->hi[c->count - 1] = hi;
        return;
    }
    c->lo[c->count] = lo;
    c->hi[c->count] = hi;
    if (++c->count > ER_CODE_RANGES)
        join_nearest(c);
}

/*
 * Write the ranges to the control page. A handler that reads them at the same time
 * finds each range either as it was or as it is now.
 */
static void
publish(const struct maps_code *c, struct ctl *ctl)
{
    for (u32 i = 0; i < ER_CODE_RANGES; i++)
        __atomic_store_n(&ctl->code[i],
                         i < c->count ? ctl_code_word(c->lo[i], c->hi[i]) : 0,
                         __ATOMIC_RELAXED);
}

/*
 * For a process that makes code: if this file has a list of object files (gdbjit.h),
 * add the list.
 */
static void
check_for_list(struct gdbjit *g, const struct mapping *map)
{
    struct elfid id = { .known = 0 };

    if (map->path[0] == '/' && !maps_is_memory(map->path) &&
        gdbjit_is_new(g, map->lo) &&
        elfid_read(map->path, makedev(map->major, map->minor), map->inode, map->offset,
                   &id) == 0 &&
        id.known)
        gdbjit_found(g, map->path, map->lo - id.vaddr);
}

/*
 * Read the mappings once more for lists of object files, if there are other mappings
 * than the last time. Then read what is new in the lists.
 */
static void
check_for_lists(const struct maps *m, struct recording *s, FILE *maps)
{
    struct madecode *made = madecode_state_of(s);
    char *line = NULL;
    size_t room = 0, known = m->count + m->added;
    ssize_t len;

    if (!made)
        return;
    rewind(maps);
    while (known != made->gdbjit.known &&
           (len = getline(&line, &room, maps)) > 0) {
        struct mapping map;

        line[len - 1] = '\0';
        if (parse_mapping(line, &map))
            check_for_list(&made->gdbjit, &map);
    }
    free(line);
    made->gdbjit.known = known;
    gdbjit_read_new(s);
}

static int
read_mappings(struct maps *m, struct recording *s, FILE *maps)
{
    struct maps_code code = { .count = 0 };
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    int ret = 0;

    while (ret == 0 && (len = getline(&line, &room, maps)) > 0) {
        struct mapping map;

        line[len - 1] = '\0';
        /* Every process has the mapping [vsyscall]; ATTACH_MAPPED is our own. */
        if (!parse_mapping(line, &map) || !strcmp(map.path, "[vsyscall]") ||
            !strncmp(map.path, ATTACH_MAPPED, sizeof(ATTACH_MAPPED) - 1))
            continue;
        (void)jitdump_found(s, map.path, makedev(map.major, map.minor), map.inode);
        if (is_code_made_at_run_time(&map) || is_new_to_target(m, &map))
            maps_code_add(&code, map.lo, map.hi);
        if (!maps_has(m, map.lo, map.hi))
            ret = put_object(m, s->experiment.map, &map);
    }
    publish(&code, s->experiment.ctl);
    if (code.count)
        check_for_lists(m, s, maps);
    free(line);
    return ret;
}

void
maps_refresh(struct maps *m, struct recording *s)
{
    char path[64];
    FILE *maps;
    int ret;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)s->pid);
    maps = fopen(path, "re");
    ret = maps ? read_map(m, s->experiment.map) : -errno;
    if (ret == 0) {
        tail_mend(s->experiment.map);
        ret = read_mappings(m, s, maps);
    }
    if (maps)
        fclose(maps);
    if (ret < 0)
        (void)log_event(s->experiment.log, EVENT_map_failed, moment_mono(),
                        strerror(-ret), NULL, NULL, 0);
}
