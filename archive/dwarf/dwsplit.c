/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwsplit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "archive/elf/debugfile.h"
#include "archive/dwarf/dwnames.h"
#include "archive/object/objfile.h"

#define COLUMNS_MAX 16

static void
add_source(struct dwsplit *s, const struct image *img)
{
    struct obj_source row = {
        .kind = OBJFILE_SOURCE_SPLIT,
        .path = objwrite_string(s->w, img->path),
        .size = img->file.size,
        .mtime = (u64)img->st.st_mtim.tv_sec * 1000000000 +
                 (u64)img->st.st_mtim.tv_nsec,
    };

    objwrite_row(s->w, OBJ_source, &row);
}

static bool
open_package_at(struct dwsplit *s, const char *path)
{
    char name[PATH_MAX];
    u64 bad_at;

    if (snprintf(name, sizeof(name), "%s.dwp", path) >= (int)sizeof(name) ||
        image_open(&s->package, AT_FDCWD, name) < 0)
        return false;
    image_named(&s->package, ".debug_cu_index", &s->index);
    if (s->index.size > 0 && image_belongs(&s->package, s->object) &&
        dwfile_open(&s->package_file, &s->package, true, &bad_at) == 0) {
        add_source(s, &s->package);
        return true;
    }
    objwrite_add_note(s->w, "%s: not a package of split debug information", name);
    image_close(&s->package);
    return false;
}

/* The offsets of one unit's data in the sections, from the index of a package. */
struct contribution {
    u64 info;
    u64 abbrev;
    u64 line;
    u64 str_offsets;
    u64 rnglists;
};

static void
set_column(struct contribution *out, u32 column, u64 offset)
{
    switch (column) {
    case DW_SECT_INFO:
        out->info = offset;
        break;
    case DW_SECT_ABBREV:
        out->abbrev = offset;
        break;
    case DW_SECT_LINE:
        out->line = offset;
        break;
    case DW_SECT_STR_OFFSETS:
        out->str_offsets = offset;
        break;
    case DW_SECT_RNGLISTS:
        out->rnglists = offset;
        break;
    }
}

/* Finds a unit in the package's hash table by reading all slots. */
static bool
find_contribution(const struct dwsplit *s, u64 id, struct contribution *out)
{
    struct cursor c = image_cursor(&s->package, s->index, 0), row;
    u32 version = cursor_u32(&c), columns, units, slots, index = 0;
    u32 names[COLUMNS_MAX];

    /*
     * Version 5 has two bytes of version and two of padding, so a big-endian version is
     * in the upper half.
     */
    if (s->package.big && version >> 16)
        version >>= 16;
    columns = cursor_u32(&c);
    units = cursor_u32(&c);
    slots = cursor_u32(&c);
    if (c.bad || (version != 2 && version != 5) || columns > COLUMNS_MAX ||
        (u64)slots * 12 > cursor_left(&c))
        return false;
    row = c;
    cursor_skip(&row, (u64)slots * 8);
    for (u32 i = 0; i < slots; i++) {
        u64 signature = cursor_u64(&c);
        u32 number = cursor_u32(&row);

        if (signature == id && number != 0)
            index = number;
    }
    if (index == 0 || index > units)
        return false;
    memset(out, 0, sizeof(*out));
    for (u32 i = 0; i < columns; i++)
        names[i] = cursor_u32(&row);
    cursor_skip(&row, (u64)(index - 1) * columns * 4);
    for (u32 i = 0; i < columns; i++)
        set_column(out, names[i], cursor_u32(&row));
    return !row.bad;
}

static int
open_in_package(struct dwsplit *s, struct dwunit *skeleton, struct dwsplit_unit *out)
{
    struct contribution part;
    struct dwunit *u;

    if (!s->tried) {
        s->tried = true;
        s->has_package = open_package_at(s, s->object) ||
                         (strcmp(s->object, s->debug) != 0 &&
                          open_package_at(s, s->debug));
    }
    if (!s->has_package || !find_contribution(s, skeleton->dwo_id, &part))
        return -ENOENT;
    u = dwfile_unit(&s->package_file, part.info);
    if (!u || u->offset != part.info)
        return -ENOENT;
    if (!u->abbrevs) {
        u->abbrev_offset += part.abbrev;
        u->str_base = part.str_offsets;
        u->rng_section = part.rnglists;
    }
    u->skeleton = skeleton;
    out->unit = u;
    out->owned = false;
    return dwfile_start(u) ? 0 : -ENOENT;
}

/* Finds the unit of an open .dwo file that has the same id as the skeleton. */
static struct dwunit *
find_unit(struct dwfile *f, struct dwunit *skeleton)
{
    for (u32 i = 0; i < f->unit_count; i++) {
        struct dwunit *u = &f->units[i];

        u->skeleton = skeleton;
        if (dwfile_start(u) && u->has_dwo_id && u->dwo_id == skeleton->dwo_id)
            return u;
    }
    return NULL;
}

static bool
open_dwo_at(const struct dwsplit *s, struct dwsplit_unit *out, const char *path,
            struct dwunit *skeleton)
{
    u64 bad_at;

    if (image_open(&out->img, AT_FDCWD, path) < 0)
        return false;
    if (image_belongs(&out->img, s->object) &&
        dwfile_open(&out->file, &out->img, true, &bad_at) == 0) {
        out->unit = find_unit(&out->file, skeleton);
        if (out->unit)
            return true;
        dwfile_free(&out->file);
    }
    image_close(&out->img);
    return false;
}

/*
 * Opens the .dwo file: in the directory in which the unit was compiled, or else beside
 * the object.
 */
static int
open_dwo(struct dwsplit *s, struct dwunit *skeleton, struct dwsplit_unit *out)
{
    const char *name = skeleton->dwo_name, *base, *slash;
    const char *dir = skeleton->comp_dir ? skeleton->comp_dir : ".";
    char path[PATH_MAX];
    bool found;

    base = strrchr(name, '/');
    base = base ? base + 1 : name;
    slash = strrchr(s->object, '/');
    /*
     * A relative directory is looked for below the object's directory, not below the
     * working directory, since anybody may have put files there.
     */
    if (name[0] == '/')
        snprintf(path, sizeof(path), "%s", name);
    else if (dir[0] == '/')
        snprintf(path, sizeof(path), "%s/%s", dir, name);
    else
        snprintf(path, sizeof(path), "%.*s/%s/%s", slash ? (int)(slash - s->object) : 1,
                 slash ? s->object : ".", dir, name);
    found = open_dwo_at(s, out, path, skeleton);
    if (!found && slash) {
        snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - s->object), s->object,
                 base);
        found = open_dwo_at(s, out, path, skeleton);
    }
    if (!found)
        return -ENOENT;
    out->owned = true;
    add_source(s, &out->img);
    return 0;
}

int
dwsplit_open(struct dwsplit *s, struct dwunit *skeleton, struct dwsplit_unit *out)
{
    int status;

    memset(out, 0, sizeof(*out));
    status = open_in_package(s, skeleton, out);
    if (status == 0)
        return 0;
    status = skeleton->dwo_name ? open_dwo(s, skeleton, out) : -ENOENT;
    if (status < 0 && s->missing++ == 0)
        objwrite_add_note(s->w, "%s: its split debug information (%s) was not found",
                          s->object, skeleton->dwo_name ? skeleton->dwo_name : "");
    return status;
}

void
dwsplit_close(struct dwsplit *s, struct dwsplit_unit *unit)
{
    if (unit->owned) {
        debugfile_report_unread(&unit->img, s->w);
        dwfile_free(&unit->file);
        image_close(&unit->img);
    }
    unit->unit = NULL;
}

void
dwsplit_free(struct dwsplit *s)
{
    if (s->has_package) {
        debugfile_report_unread(&s->package, s->w);
        dwfile_free(&s->package_file);
        image_close(&s->package);
    }
    s->has_package = false;
}
