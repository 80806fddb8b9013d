/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/item.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "archive/elf/codemap.h"
#include "archive/elf/debugfile.h"
#include "archive/describe.h"
#include "archive/described.h"
#include "archive/object/objkey.h"
#include "archive/object/regular.h"
#include "archive/store.h"

#define FILE_NAME_MAX (OBJFILE_KEY_MAX + 16)

/* Sets the item's warning, unless it has one. */
static void __attribute__((format(printf, 2, 3)))
warn(struct archive_item *item, const char *format, ...)
{
    va_list args;

    if (item->warning)
        return;
    va_start(args, format);
    if (vasprintf(&item->warning, format, args) < 0)
        item->warning = NULL;
    va_end(args);
}

static void
ero_name(char name[FILE_NAME_MAX], const struct archive_item *item)
{
    snprintf(name, FILE_NAME_MAX, "%s.ero", item->key);
}

/*
 * Does map.xml identify the file by more than its path: by a build-id, or by size and
 * modification time?
 */
static bool
is_named(const struct mapxml_object *o)
{
    return o->buildid[0] || (o->fsize[0] && o->mtime[0]);
}

/* Is this file the one that map.xml describes? */
static bool
is_same(const struct image *img, const struct mapxml_object *o)
{
    if (o->buildid[0])
        return strcasecmp(o->buildid, img->buildid) == 0;
    return is_named(o) && strtoull(o->fsize, NULL, 10) == img->file.size &&
           strtoull(o->mtime, NULL, 10) ==
               (u64)img->st.st_mtim.tv_sec * 1000000000 + (u64)img->st.st_mtim.tv_nsec;
}

/* Is there a debug file now that did not exist when this description was made? */
static bool
has_new_debug(const struct objfile *o, const char *buildid)
{
    struct objfile_info info;
    struct objfile_source source;

    objfile_info(o, &info);
    if (!buildid[0] || (info.flags & OBJFILE_HAS_LINES))
        return false;
    for (u32 i = 0; objfile_source_at(o, i, &source) == 0; i++)
        if (source.kind == OBJFILE_SOURCE_DEBUG ||
            source.kind == OBJFILE_SOURCE_DEBUGINFOD)
            return false;
    return debugfile_present(buildid) ||
           (debugfile_has_server() && !(info.flags & OBJFILE_ASKED));
}

/* Does a section of an object have the same bytes in its description? */
static bool
is_same_part(const struct objfile *o, u32 i, const struct codemap_part *part)
{
    unsigned char buf[16384];
    struct objfile_code code;
    u64 size = part->hi - part->lo, at = 0;

    size = part->bytes.size < size ? part->bytes.size : size;
    if (objfile_code_at(o, i, &code) < 0 || code.addr != part->lo || code.size != size)
        return false;
    while (at < size) {
        long n = objfile_code(o, part->lo + at, buf, sizeof(buf));

        if (n <= 0 || (u64)n > size - at ||
            memcmp(buf, part->bytes.at + at, (size_t)n) != 0)
            return false;
        at += (u64)n;
    }
    return true;
}

static bool
is_same_code(const struct objfile *o, struct image *img)
{
    struct codemap code;
    bool same;

    if (codemap_make(&code, img) < 0)
        return true; /* nothing better to describe */
    same = code.count == objfile_code_count(o);
    for (u32 i = 0; i < code.count && same; i++)
        same = is_same_part(o, i, &code.at[i]);
    codemap_free(&code);
    return same;
}

/*
 * Was the description made from another file, so that it should be replaced? Some
 * build-ids are not unique; and a program and its stripped copy have the same one, but
 * one of the two has more information.
 */
static bool
is_of_another(const struct objfile *o, const struct mapxml_object *object)
{
    struct objfile_source source;
    struct objfile_info info;
    struct image img;
    bool other;

    if (strcmp(object->kind, "file") != 0 || objfile_source_at(o, 0, &source) < 0 ||
        (strtoull(object->fsize, NULL, 10) == source.size &&
         strtoull(object->mtime, NULL, 10) == source.mtime_ns) ||
        image_open(&img, AT_FDCWD, object->name) < 0)
        return false;
    objfile_info(o, &info);
    other = is_same(&img, object) &&
            (!is_same_code(o, &img) ||
             (!(info.flags & OBJFILE_HAS_LINES) && describe_has_dwarf(&img)) ||
             (!(info.flags & OBJFILE_HAS_SYMTAB) &&
              image_find_type(&img, SHT_SYMTAB)));
    image_close(&img);
    return other;
}

/*
 * Is the item's file not ELF, and still the one that was mapped? Then it was not a load
 * object in the run, either, but for instance a Lisp core or a cache of compiled code,
 * and has no names to offer.
 */
static bool
is_foreign(const struct mapxml_object *o)
{
    char magic[SELFMAG] = "";
    struct image seen = { 0 };
    int fd = regular_open(AT_FDCWD, o->name, 0);
    bool foreign;

    if (fd < 0)
        return false;
    foreign = !o->buildid[0] && fstat(fd, &seen.st) == 0 &&
              pread(fd, magic, SELFMAG, 0) >= 0 && memcmp(magic, ELFMAG, SELFMAG) != 0;
    close(fd);
    seen.file.size = (size_t)seen.st.st_size;
    return foreign && is_same(&seen, o);
}

static bool
is_vdso(const struct archive_item *item)
{
    return strcmp(item->object->kind, "vdso") == 0;
}

/* The object's path, as used in the cache's file names. */
static const char *
place(const struct archive_item *item)
{
    return is_vdso(item) ? OBJFILE_VDSO : item->object->name;
}

static bool
is_current(const struct objfile *o, const struct archive_item *item)
{
    return !has_new_debug(o, item->object->buildid) &&
           !is_of_another(o, item->object);
}

/* Does archives/ have a description of the item that is well-formed and current? */
static bool
is_archived(const struct archive *a, const struct archive_item *item)
{
    char name[FILE_NAME_MAX];
    struct objfile *o;
    bool current;

    ero_name(name, item);
    if (a->archives < 0 || objfile_open_path(&o, a->archives, name, NULL) < 0)
        return false;
    current = is_current(o, item);
    objfile_close(o);
    return current;
}

/* The cache's description of the item; NULL if it has no current one. */
static struct objfile *
open_cached(const struct archive *a, const struct archive_item *item)
{
    struct objfile *o;

    if (a->cache < 0 || !is_named(item->object) ||
        objfile_open_cached(&o, a->cache, item->key, place(item)) < 0)
        return NULL;
    if (is_current(o, item))
        return o;
    objfile_close(o);
    return NULL;
}

/*
 * Links the cache's description to archives/KEY.ero. 0 also if archives/ cannot be
 * written: the description is then used from the cache.
 */
static int
link_cached(const struct archive *a, const struct archive_item *item)
{
    char real[PATH_MAX], from[OBJKEY_CACHED_MAX], to[FILE_NAME_MAX];

    if (!objkey_real(real, place(item)))
        return -ENAMETOOLONG;
    objkey_cached(from, item->key, real);
    ero_name(to, item);
    store_used(a->cache, from);
    return a->writable ? store_link(a->cache, from, a->archives, to) : 0;
}

void
item_check_present(const struct archive *a, struct archive_item *item)
{
    struct objfile *cached;

    item->state = ARCHIVE_WANTED;
    if (is_archived(a, item)) {
        item->had = true;
        item->state = a->options->force ? ARCHIVE_WANTED : ARCHIVE_PRESENT;
        return;
    }
    cached = a->options->force ? NULL : open_cached(a, item);
    if (cached && link_cached(a, item) == 0)
        item->state = ARCHIVE_PRESENT;
    objfile_close(cached);
}

/*
 * Opens the vdso of this process, which equals the target's if the kernel is the same.
 */
static int
open_own_vdso(struct image *img)
{
    const unsigned char *at = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
    struct bytes whole = {at, 0};
    Elf64_Ehdr header;

    if (!at)
        return -ENOENT;
    memcpy(&header, at, sizeof(header));
    whole.size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
    return image_open_memory(img, "[vdso]", whole, false);
}

static int
open_object(struct image *img, struct archive_item *item)
{
    const struct mapxml_object *o = item->object;
    bool vdso = is_vdso(item);
    int status;

    status = vdso ? open_own_vdso(img) : image_open(img, AT_FDCWD, o->name);
    if (status == -ENOEXEC && !vdso && is_foreign(o)) {
        item->state = ARCHIVE_FOREIGN;
        return status;
    }
    if (status < 0) {
        item->state = status == -ENOENT ? ARCHIVE_MISSING : ARCHIVE_FAILED;
        warn(item, "%s: cannot be read any more: %s", o->name,
             status == -ENOEXEC ? "it is not a well-formed ELF file"
                                : strerror(-status));
        return status;
    }
    if (is_same(img, o))
        return 0;
    image_close(img);
    item->state = ARCHIVE_CHANGED;
    warn(item, "%s: %s, its functions cannot be named", o->name,
         is_named(o) ? "has changed since the run"
                     : "may be another file than the one that ran");
    return -ESTALE;
}

int
item_open_own(const struct archive *a, const struct archive_item *item,
              struct objfile **out)
{
    struct objfile *o = open_cached(a, item);
    char error[OBJFILE_ERROR_MAX];
    struct image img;
    bool same;
    int status;

    if (o) {
        *out = o;
        return 0;
    }
    status = image_open(&img, AT_FDCWD, item->object->name);
    if (status < 0)
        return status;
    same = is_same(&img, item->object);
    image_close(&img);
    return same ? described_open(out, item->object->name, error) : -ESTALE;
}

static int
save(struct description *d, int dir, const char *name)
{
    struct store_file f;
    int status = store_begin(&f, dir);

    if (status < 0)
        return status;
    status = describe_save(d, f.fd);
    if (status == 0)
        return store_commit(&f, name);
    store_abandon(&f);
    return status;
}

/*
 * Saves the description in the cache, under a name made of its key and path. 0 or
 * -errno.
 */
static int
save_cached(const struct archive *a, const struct archive_item *item,
            struct description *d)
{
    char real[PATH_MAX], name[OBJKEY_CACHED_MAX];

    if (!objkey_real(real, place(item)))
        return -ENAMETOOLONG;
    objkey_cached(name, item->key, real);
    return save(d, a->cache, name);
}

/*
 * Saves the description in the cache, and links it into archives/. If that fails, saves
 * it in archives/.
 */
static int
save_anywhere(const struct archive *a, const struct archive_item *item,
              struct description *d)
{
    char name[FILE_NAME_MAX];
    int status = -EROFS;

    ero_name(name, item);
    if (a->cache >= 0)
        status = save_cached(a, item, d);
    if (!a->writable)
        return status;
    if (status == 0 && link_cached(a, item) == 0)
        return 0;
    return save(d, a->archives, name);
}

void
item_describe(const struct archive *a, struct archive_item *item)
{
    struct image img;
    struct description d;
    int status;

    if (open_object(&img, item) < 0) {
        item->state = item->had ? ARCHIVE_PRESENT : item->state;
        return;
    }
    status = describe(&d, &img);
    if (status == 0) {
        status = save_anywhere(a, item, &d);
        /* EFAULT: the object's code could not be read any more; that is not fatal. */
        item->fatal = status < 0 && status != -EFAULT;
        if (status == 0 && d.tables.unread)
            warn(item, "%s", (const char *)d.tables.table[OBJ_strings].at +
                 d.tables.unread);
        describe_free(&d);
    }
    image_close(&img);
    item->state = status < 0 ? ARCHIVE_FAILED : ARCHIVE_PRESENT;
    if (status < 0)
        warn(item, "%s: %s: %s", item->object->name,
             item->fatal ? "its description cannot be written"
                         : "cannot be described",
             status == -ENODATA  ? "it has no code"
             : status == -EFAULT ? "it was cut short while it was read"
                                 : strerror(-status));
}

static bool
is_unchanged(int fd, const struct stat *was)
{
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_dev == was->st_dev && st.st_ino == was->st_ino;
}

static int
copy_object(const struct archive *a, const struct archive_item *item, const char *name)
{
    struct store_file f;
    struct image img;
    struct stat st;
    int from, status;

    status = image_open(&img, AT_FDCWD, item->object->name);
    if (status < 0)
        return status;
    from = img.type != ET_CORE && is_same(&img, item->object)
               ? regular_open(AT_FDCWD, item->object->name, 0) : -ESTALE;
    st = img.st;
    image_close(&img);
    if (from < 0 || !is_unchanged(from, &st)) {
        if (from >= 0)
            close(from);
        return -ESTALE;
    }
    status = store_begin(&f, a->archives);
    if (status == 0) {
        status = store_copy(from, f.fd);
        if (status == 0)
            status = store_commit(&f, name);
        else
            store_abandon(&f);
    }
    close(from);
    return status;
}

void
item_copy(const struct archive *a, struct archive_item *item)
{
    char name[FILE_NAME_MAX];
    int status;

    snprintf(name, sizeof(name), "%s.bin", item->key);
    if (!a->writable || strcmp(item->object->kind, "file") != 0 ||
        (!a->options->force && faccessat(a->archives, name, F_OK, 0) == 0))
        return;
    status = copy_object(a, item, name);
    if (status < 0)
        warn(item, "%s: is not copied: %s", item->object->name,
             status == -ESTALE ? "it has changed since the run"
                               : strerror(-status));
}
