/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/codefiles.h"
#include "archive/item.h"
#include "archive/object/objkey.h"
#include "archive/object/regular.h"
#include "archive/store.h"

#define FILE_LIMIT ((off_t)16 << 20)
#define TOTAL_LIMIT ((u64)1 << 30)
#define HEAD_SIZE 65536 /* a file with a zero among that many first bytes is not text */

/*
 * A line table can name any file, and the archive may be given away. So a file is kept
 * only if it looks like a source, by its name and by its real path (without links).
 */
struct sources {
    const struct archive *archive;
    int dir;
    int index; /* appended to, a whole line at a time */
    u64 total; /* bytes */
    u32 left_out;
    char example[256]; /* one of the files left out */
};

/*
 * Is it the ending of a source file, for compilers or for programs that generate
 * source?
 */
static bool
is_ending(const char *ending)
{
    static const char known[] =
        " c h cc hh cpp hpp cxx hxx c++ h++ cp C H i ii m mm M inl ipp tpp tcc txx "
        "ixx inc def cu cuh S s sx asm f F f77 f90 F90 f95 F95 f03 F03 f08 F08 for "
        "FOR ftn fpp FPP rs go d di adb ads ada zig nim swift pas pp lpr dpr ml mli "
        "mll mly hs lhs cr v vala java kt scala cs jl py pyx pxd pxi lisp l ll y yy "
        "rl re cl ispc ";
    size_t n = strlen(ending);
    const char *at = known + 1;

    while (n > 0 && !strchr(ending, ' ') && (at = strstr(at, ending)) != NULL) {
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
        at++;
    }
    return false;
}

/* Is it the name of a C++ header without an ending, such as <vector>? */
static bool
is_header(const char *path, const char *base)
{
    size_t n = strspn(base, "abcdefghijklmnopqrstuvwxyz_0123456789");

    return n > 0 && !base[n] && strstr(path, "/include/");
}

static bool
is_source_name(const char *path)
{
    const char *base = strrchr(path, '/'), *dot;

    if (path[0] != '/')
        return false;
    for (const char *p = path; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return false; /* the index has one line for each file */
    base++;
    dot = strrchr(base, '.');
    return dot ? dot > base && is_ending(dot + 1) : is_header(path, base);
}

/* The path of an open file, without links. */
static bool
real_of(int fd, char real[PATH_MAX])
{
    char link[40];
    ssize_t n;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    n = readlink(link, real, PATH_MAX - 1);
    if (n > 0)
        real[n] = '\0';
    return n > 0;
}

static bool
is_text(int fd)
{
    static char head[HEAD_SIZE];
    ssize_t n = pread(fd, head, sizeof(head), 0);

    return n >= 0 && !memchr(head, '\0', (size_t)n);
}

static bool
is_source(int fd, const char *path)
{
    char real[PATH_MAX];

    return is_source_name(path) && real_of(fd, real) && is_source_name(real) &&
           is_text(fd);
}

/*
 * Adds a file to the index. This must be done before the file gets its name: a file
 * that has its name is not processed again.
 */
static bool
list_file(const struct sources *s, const char *name, const char *path)
{
    char line[OBJKEY_SOURCE_MAX + PATH_MAX + 2];
    int len = snprintf(line, sizeof(line), "%s %s\n", name, path);

    return len < (int)sizeof(line) && write(s->index, line, (size_t)len) == len;
}

/* Copies an open source file, unless a size limit or an error prevents it. */
static void
copy_file(struct sources *s, int from, const char *name, const char *path)
{
    struct store_file f;
    struct stat st;

    if (fstat(from, &st) < 0 || st.st_size > FILE_LIMIT ||
        s->total + (u64)st.st_size > TOTAL_LIMIT)
        return;
    if (store_begin(&f, s->dir) < 0)
        return;
    if (store_copy(from, f.fd) < 0 || !list_file(s, name, path)) {
        store_abandon(&f);
        return;
    }
    s->total += (u64)st.st_size;
    (void)store_commit(&f, name);
}

static void
leave_out(struct sources *s, const char *path)
{
    if (s->left_out++ == 0)
        snprintf(s->example, sizeof(s->example), "%s", path);
}

static void
keep(struct sources *s, const char *path)
{
    char name[OBJKEY_SOURCE_MAX];
    int from;

    objkey_source(name, path);
    if (path[0] != '/' || faccessat(s->dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return;
    from = regular_open(AT_FDCWD, path, 0);
    if (from < 0)
        return;
    if (!is_source(from, path))
        leave_out(s, path);
    else
        copy_file(s, from, name, path);
    close(from);
}

static void __attribute__((format(printf, 2, 3)))
notify(const struct sources *s, const char *format, ...)
{
    char sentence[8192];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof(sentence), format, args);
    va_end(args);
    s->archive->options->notify(false, sentence);
}

/*
 * Keeps the sources of one object. An object file that came with the experiment is not
 * used: its maker could name any file in it.
 */
static void
keep_object(struct sources *s, const struct archive_item *item)
{
    struct objfile *o;

    if (item->state != ARCHIVE_PRESENT || strcmp(item->object->kind, "file") != 0)
        return;
    if (item_open_own(s->archive, item, &o) < 0) {
        notify(s, "%s: is not here as it was in the run, so its sources are not kept",
               item->object->name);
        return;
    }
    for (u32 i = 1; i < objfile_file_count(o); i++)
        keep(s, objfile_file(o, i));
    objfile_close(o);
}

static void
add_codefiles(void *context, int dir, const char *path)
{
    (void)path;
    (void)codefiles_add(context, dir);
}

/*
 * Keeps the sources of interpreted functions, such as Python's. Their names come from
 * the experiment alone, and are checked as all others are.
 */
static void
keep_codefiles(struct sources *s)
{
    struct codefiles files = { 0 };

    add_codefiles(&files, s->archive->expdir, s->archive->name);
    if (!s->archive->options->founder_only)
        archiving_subs(s->archive, add_codefiles, &files);
    codefiles_sort(&files);
    for (u32 i = 0; i < files.count; i++)
        keep(s, files.name[i]);
    codefiles_free(&files);
}

static void
keep_all(struct sources *s)
{
    for (u32 i = 0; i < s->archive->item_count; i++)
        keep_object(s, &s->archive->items[i]);
    keep_codefiles(s);
    if (s->left_out == 1)
        notify(s, "%s: does not look like a source, and is not kept", s->example);
    else if (s->left_out)
        notify(s,
               "%s and %u more files that are named as sources do not look like any, "
               "and are not kept", s->example, s->left_out - 1);
}

void
sources_clean(int archives)
{
    int dir = openat(archives, "src", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

    if (dir < 0)
        return;
    store_clean(dir);
    close(dir);
}

void
sources_copy(struct archive *a)
{
    struct sources s = {.archive = a, .dir = -1};

    if (!a->writable)
        return;
    s.dir = store_dir(a->archives, "src");
    if (s.dir < 0)
        return;
    s.index = openat(s.dir, "index",
                     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (s.index >= 0) {
        keep_all(&s);
        close(s.index);
    }
    close(s.dir);
}
