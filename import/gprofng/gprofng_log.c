/* SPDX-License-Identifier: Apache-2.0 */
/* Reads log.xml and map.xml of gprofng's experiments. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "archive/elf/image.h"
#include "import/copies.h"
#include "import/gprofng/gprofng.h"
#include "import/image.h"
#include "import/gprofng/tags.h"
#include "print/base/array.h"

enum {
    FORMAT_LEAST = 10, /* first format of experiments that describes its data files */
    PAGE = 4096,
    MODE_EXEC = 4,
};

static void
read_system(struct import *im, const struct tag *tag)
{
    im->host = tags_attr(tag, "hostname");
    im->os = tags_attr(tag, "os");
    im->arch = tags_attr(tag, "arch");
}

static void
read_process(struct gprofng_log *log, const struct tag *tag)
{
    if (!tag->nattrs && *tag->text)
        log->command = tag->text;
    if (*tags_attr(tag, "pid"))
        log->pid = (u32)tags_number(tag, "pid");
    if (*tags_attr(tag, "ppid"))
        log->ppid = (u32)tags_number(tag, "ppid");
    if (!strcmp(tags_attr(tag, "wsize"), "32"))
        log->word = 4;
}

static struct gprofng_table *
last_table(struct gprofng_log *log)
{
    return log->ntables ? &log->table[log->ntables - 1] : NULL;
}

static void
read_counter(struct import *im, struct gprofng_log *log, const struct tag *tag)
{
    struct gprofng_counter *c = &log->counter[log->ncounters];

    if (log->ncounters == GPROFNG_COUNTERS)
        return;
    c->tag = (u32)tags_number(tag, "tag");
    c->counter = import_counter(im, tags_attr(tag, "hwcname"));
    if (c->counter == IMPORT_COUNTERS)
        import_add_note(im, "values of %s are left out: there are too many kinds",
                        tags_attr(tag, "hwcname"));
    else if (!im->counter[c->counter].interval)
        im->counter[c->counter].interval = tags_number(tag, "interval");
    log->ncounters++;
}

static void
read_profile(struct import *im, struct gprofng_log *log, const struct tag *tag)
{
    if (!strcmp(tags_attr(tag, "name"), "profile") && *tags_attr(tag, "ptimer"))
        log->clock_ns = tags_number(tag, "ptimer") % (1ull << 40) * 1000;
    if (*tags_attr(tag, "hwcname"))
        read_counter(im, log, tag);
}

static void
read_data(struct gprofng_log *log, const struct tag *tag)
{
    const char *file = tags_attr(tag, "fname");

    if (log->ntables < GPROFNG_TABLES && *file && *file != '.' && !strchr(file, '/'))
        log->table[log->ntables++] = (struct gprofng_table){ .file = file };
}

static void
read_packet(struct gprofng_log *log, const struct tag *tag)
{
    struct gprofng_table *t = last_table(log);

    if (!t)
        return;
    /* The file has packets of another kind, too: add a table for them. */
    if (t->kind && log->ntables < GPROFNG_TABLES) {
        t = &log->table[log->ntables++];
        *t = (struct gprofng_table){ .file = t[-1].file };
    }
    t->kind = (u32)tags_number(tag, "kind");
}

static void
read_field(struct gprofng_log *log, const struct tag *tag)
{
    static const char *const names[] = {
#define FIELD(name) #name,
        GPROFNG_FIELDS(FIELD)
#undef FIELD
    };
    struct gprofng_table *t = last_table(log);
    const char *type = tags_attr(tag, "type");

    for (u32 i = 0; t && i < FIELD_COUNT; i++)
        if (!strcmp(names[i], tags_attr(tag, "name"))) {
            t->at[i] = (u32)(tags_number(tag, "offset") & 0xffff);
            t->size[i] = strstr(type, "INT32") ? 4 : strstr(type, "INT64") ? 8 : 0;
        }
}

static void
read_tag(struct import *im, struct gprofng_log *log, const struct tag *tag)
{
    if (!strcmp(tag->name, "collector"))
        log->version = tag->text;
    else if (!strcmp(tag->name, "system"))
        read_system(im, tag);
    else if (!strcmp(tag->name, "process"))
        read_process(log, tag);
    else if (!strcmp(tag->name, "profile"))
        read_profile(im, log, tag);
    else if (!strcmp(tag->name, "profdata"))
        read_data(log, tag);
    else if (!strcmp(tag->name, "profpckt"))
        read_packet(log, tag);
    else if (!strcmp(tag->name, "field"))
        read_field(log, tag);
    if (strcmp(tag->name, "event") || strcmp(tags_attr(tag, "kind"), "run") ||
        log->start)
        return;
    log->start = tags_ns(tag, "tstamp");
    log->wall = tags_number(tag, "time");
}

int
gprofng_log_read(struct import *im, struct bytes text, struct gprofng_log *log)
{
    struct tags t = { im, (const char *)text.at, (const char *)text.at + text.size };
    struct tag tag;
    u64 version;

    *log = (struct gprofng_log){ .version = "", .command = "", .word = 8 };
    if (text.size < 16 || text.at[0] != '<' || !tags_next(&t, &tag))
        return im->failed ? -ENOMEM : -ENOEXEC;
    if (!strcmp(tag.name, "?xml") && !tags_next(&t, &tag))
        return im->failed ? -ENOMEM : -ENOEXEC;
    version = tags_number(&tag, "version");
    if (strcmp(tag.name, "experiment") || !version)
        return -ENOEXEC;
    if (version == 1)
        return import_fail(im, "it is an experiment of ertools, which er_print reads "
                           "as it is");
    if (version < FORMAT_LEAST)
        return import_fail(im, "it is of version %llu of these experiments, which is "
                           "too old", (unsigned long long)version);
    while (tags_next(&t, &tag))
        read_tag(im, log, &tag);
    if (!strncmp(im->arch, "sparc", 5) || !strncmp(im->arch, "sun4", 4))
        return import_fail(im, "it was recorded on SPARC, whose experiments are not "
                           "read");
    return im->failed ? -ENOMEM : 0;
}

static bool
add_segment(struct gprofng_map *map, const struct gprofng_segment *s)
{
    if (s->hi <= s->lo)
        return true;
    if (array_room(&map->segment, &map->room, map->count + 1, sizeof(*s)) < 0)
        return false;
    map->segment[map->count++] = *s;
    return true;
}

static bool
read_map_tag(const struct gprofng_log *log, struct gprofng_map *map,
             const struct tag *tag)
{
    const char *object = tags_attr(tag, "object");
    struct gprofng_segment s = {
        .name = tags_attr(tag, "name"), .lo = tags_number(tag, "vaddr"),
        .offset = tags_number(tag, "foffset"), .unload = UINT64_MAX,
        .load = log->start + tags_ns(tag, "tstamp"),
    };

    if (!strcmp(tags_attr(tag, "kind"), "unmap")) {
        for (u32 i = 0; i < map->count; i++)
            if (map->segment[i].lo == s.lo && map->segment[i].unload == UINT64_MAX)
                map->segment[i].unload = s.load, map->unloads = true;
        return true;
    }
    if (strcmp(tags_attr(tag, "kind"), "map"))
        return true;
    s.hi = s.lo + tags_number(tag, "size");
    if (!strcmp(object, "function")) {
        /* This is the vdso's code; the vdso itself begins at the start of the page. */
        s.hi += PAGE - 1 - (s.hi - 1) % PAGE;
        s.lo -= s.lo % PAGE;
    } else if (strcmp(object, "segment") || !(tags_number(tag, "modes") & MODE_EXEC)) {
        return true;
    }
    return add_segment(map, &s);
}

int
gprofng_map_read(struct import *im, const struct gprofng_log *log, struct bytes text,
                 struct gprofng_map *map)
{
    const char *at = text.size ? (const char *)text.at : "";
    struct tags t = { im, at, at + text.size };
    struct tag tag;

    *map = (struct gprofng_map){ .count = 0 };
    while (tags_next(&t, &tag))
        if (!strcmp(tag.name, "event") && !read_map_tag(log, map, &tag))
            im->failed = true;
    return im->failed ? -ENOMEM : 0;
}

/*
 * The build-id of this machine's vdso, if the experiment was made on this host with the
 * same kernel; else "".
 */
static const char *
vdso_buildid(struct import *im)
{
    const unsigned char *at = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
    struct bytes whole = { at, 0 };
    const char *id = "";
    struct utsname name;
    struct image img;
    Elf64_Ehdr header;

    if (!at || uname(&name) < 0 || strcmp(name.nodename, im->host) ||
        !strstr(im->os, name.release))
        return "";
    memcpy(&header, at, sizeof(header));
    whole.size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
    if (image_open_memory(&img, "[vdso]", whole, false) < 0)
        return "";
    id = import_text(im, img.buildid, sizeof(img.buildid));
    image_close(&img);
    return id;
}

static bool
is_program(const char *name, const char *command)
{
    const char *slash = strrchr(name, '/'), *blank = strchr(command, ' ');
    size_t len = blank ? (size_t)(blank - command) : strlen(command);
    const char *from = memrchr(command, '/', len);

    from = from ? from + 1 : command;
    len -= (size_t)(from - command);
    name = slash ? slash + 1 : name;
    return len && strlen(name) == len && !memcmp(name, from, len);
}

/*
 * Makes the object of a segment: from the file's copy in the experiment, or else from
 * the file itself, unless that was modified after the experiment began.
 */
static u32
make_object(struct import *im, u32 process, const struct gprofng_log *log,
            const struct gprofng_segment *s)
{
    struct import_image image = { .name = s->name, .buildid = "", .start = s->lo,
                                  .end = s->hi, .offset = s->offset, .time = s->load,
                                  .main = is_program(s->name, log->command) };
    char *archives = NULL;
    struct stat st;

    if (asprintf(&archives, "%s/archives", im->file) < 0)
        return 0;
    image.copy = *s->name == '/' ? copies_find(im, archives, s->name) : NULL;
    free(archives);
    if (!strcmp(s->name, "[vdso]")) {
        image.buildid = vdso_buildid(im);
    } else if (image.copy) {
        image.fsize = 0;
    } else if (stat(s->name, &st) == 0 && (u64)st.st_mtim.tv_sec <= log->wall) {
        image.mtime = (u64)st.st_mtim.tv_sec;
        image.fsize = (u64)st.st_size;
    } else {
        image.fsize = UINT64_MAX;
    }
    return import_image(im, process, &image);
}

u32
gprofng_map_object(struct import *im, u32 process, const struct gprofng_log *log,
                   struct gprofng_map *map, u64 pc, u64 time)
{
    struct gprofng_segment *best = NULL;

    for (u32 i = 0; i < map->count; i++) {
        struct gprofng_segment *s = &map->segment[i];

        if (pc < s->lo || pc >= s->hi || time >= s->unload)
            continue;
        /*
         * Prefer the last segment that was mapped before `time`; take a later one only
         * if there is none.
         */
        if (!best || s->load <= time || best->load > time)
            best = s;
    }
    if (best && !best->object)
        best->object = make_object(im, process, log, best);
    return best ? best->object : 0;
}
