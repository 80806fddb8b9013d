/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/callfind.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/attach/proc.h"
#include "collector/launch/calltables.h"
#include "share/beside.h"
#include "share/calltype.h"
#include "share/err.h"
#include "share/image.h"

enum {
    FILES_MAX = 512,      /* the program, and its libraries */
    OUTPUT_MAX = 4 << 20, /* bytes of a command's output */
    FUNCTIONS = 2048,     /* functions that libcall.so records, at most */
    SAID_MAX = 300,       /* bytes of a list of names */
};

/* A function that was named without its type. */
struct bare {
    char *name;
    char *row; /* name and type, malloc'd; NULL = none was found */
};

/* A process whose mappings are read, and where its files are put. */
struct mapped {
    struct finding *to;
    pid_t pid;
};

struct finding {
    char *file[FILES_MAX];
    u32 files;
    struct bare *bare;
    u32 bares;
    char *out;
    FILE *to; /* writes to `out` */
    u32 rows;
    int error;
};

/* Run a program. Returns its output, malloc'd, or NULL; *status as from waitpid(). */
static char *
output_of(char *const *argv, int *status)
{
    char *text = malloc(OUTPUT_MAX + 1);
    posix_spawn_file_actions_t actions;
    size_t used = 0;
    ssize_t n = 1;
    int ends[2];
    pid_t pid;

    if (!text || pipe2(ends, O_CLOEXEC) < 0) {
        free(text);
        return NULL;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (pid > 0 && n > 0 && used < OUTPUT_MAX) {
        n = read(ends[0], text + used, OUTPUT_MAX - used);
        if (n < 0 && errno == EINTR)
            n = 1;
        else if (n > 0)
            used += (size_t)n;
    }
    close(ends[0]);
    while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    text[used] = '\0';
    if (pid > 0)
        return text;
    free(text);
    return NULL;
}

static void
add_file(struct finding *f, const char *path, size_t len)
{
    if (f->files < FILES_MAX)
        f->file[f->files++] = strndup(path, len);
}

/*
 * List the program and its libraries in the order of the loader's symbol lookup. No
 * code of these files is run.
 */
static void
list_files(struct finding *f, const char *program)
{
    char loader[PATH_MAX], list[] = "--list", *name = strdup(program);
    char *argv[] = { loader, list, name, NULL }, *text = NULL, *rest = NULL;
    int status = 0;

    if (name)
        add_file(f, program, strlen(program));
    if (name && image_loader(program, loader, sizeof(loader)))
        text = output_of(argv, &status);
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *path = strstr(line, "=> "), *end = strstr(line, " (0x");

        path = path ? path + 3 : line + strspn(line, " \t");
        if (*path == '/' && end > path)
            add_file(f, path, (size_t)(end - path));
    }
    free(text);
    free(name);
}

/*
 * Add a file that the process has mapped with code, unless it is listed already. If
 * that path cannot be read here, the process has other mounts: use a path into the
 * process's mount namespace.
 */
static int
add_map(const struct proc_map *map, void *arg)
{
    struct mapped *m = arg;
    char path[PATH_MAX + 32];

    if (!map->executable || map->path[0] != '/')
        return 0;
    snprintf(path, sizeof(path), "%s", map->path);
    if (access(path, R_OK) < 0)
        snprintf(path, sizeof(path), "/proc/%d/root%s", (int)m->pid, map->path);
    for (u32 i = 0; i < m->to->files; i++)
        if (m->to->file[i] && !strcmp(m->to->file[i], path))
            return 0;
    add_file(m->to, path, strlen(path));
    return 0;
}

/* List the files that a running process has loaded, also by dlopen(). */
static void
list_mapped(struct finding *f, const char *program, pid_t pid)
{
    struct mapped m = { f, pid };

    add_file(f, program, strlen(program));
    (void)proc_maps(pid, add_map, &m);
}

/* The stem of a library's name, up to .so: libz for libz.so.1.2 and for libz. */
static size_t
stem(const char *path, const char **base)
{
    const char *slash = strrchr(path, '/'), *so;

    *base = slash ? slash + 1 : path;
    so = strstr(*base, ".so");
    return so ? (size_t)(so - *base) : strlen(*base);
}

static int
is_library(const char *path, const char *name)
{
    size_t len = strlen(name), found;
    const char *base;

    found = stem(path, &base);
    if (!strcmp(base, name) || (found == len && !memcmp(base, name, len)))
        return 1;
    return found == len + 3 && !memcmp(base, "lib", 3) && !memcmp(base + 3, name, len);
}

/*
 * The first of these paths that is an ELF file: a file such as libm.so may be a linker
 * script.
 */
static char *
first_library(const glob_t *paths)
{
    for (size_t i = 0; i < paths->gl_pathc; i++) {
        int fd = open(paths->gl_pathv[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        char magic[SELFMAG] = "";
        ssize_t n = fd < 0 ? 0 : read(fd, magic, SELFMAG);

        if (fd >= 0)
            close(fd);
        if (n == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG))
            return strdup(paths->gl_pathv[i]);
    }
    return NULL;
}

/*
 * Search for a library in the directories where the loader finds those that a program
 * opens later.
 */
static char *
search_directories(const char *name)
{
    static const char *const places[] = {
        "/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
        "/lib64", "/usr/lib64", "/lib", "/usr/lib",
    };
    static const char *const forms[][2] = { { "", ".so*" }, { "lib", ".so*" },
                                            { "", "" } };
    const char *path = getenv("LD_LIBRARY_PATH");
    char *all = strdup(path ? path : ""), *rest = NULL, *found = NULL;
    char *own = all ? strtok_r(all, ":;", &rest) : NULL;

    for (u32 i = 0; !found && (own || i < ER_COUNT(places));) {
        const char *place = own ? own : places[i++];

        for (u32 k = 0; k < ER_COUNT(forms) && !found; k++) {
            char pattern[2 * PATH_MAX];
            glob_t paths = { .gl_pathc = 0 };

            snprintf(pattern, sizeof(pattern), "%s/%s%s%s", place, forms[k][0], name,
                     forms[k][1]);
            if (glob(pattern, 0, NULL, &paths) == 0)
                found = first_library(&paths);
            globfree(&paths);
        }
        if (own)
            own = strtok_r(NULL, ":;", &rest);
    }
    free(all);
    return found;
}

static char *
find_library(const struct finding *f, const char *name)
{
    if (strchr(name, '/'))
        return strdup(name);
    for (u32 i = 1; i < f->files; i++)
        if (f->file[i] && is_library(f->file[i], name))
            return strdup(f->file[i]);
    return search_directories(name);
}

/* The rows that er_archive prints for a library; NULL if it fails. */
static char *
rows_of(const char *library, const struct bare *bare, u32 bares)
{
    char archiver[PATH_MAX], word[] = "-calls", end[] = "--", *text = NULL;
    char **argv = calloc(bares + 5, sizeof(*argv));
    u32 count = 0;
    int status = 0;

    if (!argv || beside_path(archiver, "er_archive") < 0) {
        free(argv);
        return NULL;
    }
    argv[count++] = archiver;
    argv[count++] = word;
    argv[count++] = end;
    argv[count++] = strdup(library);
    for (u32 i = 0; i < bares; i++)
        if (!bare[i].row)
            argv[count++] = bare[i].name;
    if (argv[3])
        text = output_of(argv, &status);
    free(argv[3]);
    free(argv);
    if (text && status == 0)
        return text;
    free(text);
    return NULL;
}

static void
put_row(struct finding *f, const char *row)
{
    fprintf(f->to, "%s\n", row);
    f->rows++;
}

/* Add all functions of a library without a table. */
static void
add_library(struct finding *f, const char *name)
{
    char *path = find_library(f, name), *text, *rest = NULL;
    u32 all = 0, typed = 0;

    text = path ? rows_of(path, NULL, 0) : NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        if (*line == '#')
            continue;
        all++;
        typed += strchr(line, '(') != NULL;
        put_row(f, line);
    }
    if (!path)
        err_warn("-T @%s: no table comes with collect for '%s', and no such library "
                 "was found", name, name);
    else if (!text || !all)
        err_warn("-T @%s: '%s' %s", name, path,
                 text ? "exports no functions" : "cannot be read as a library");
    else if (!typed)
        err_warn("'%s' has no debug information with types: calls of its %u functions "
                 "are recorded without arguments", path, all);
    else if (typed < all)
        err_warn("of the %u functions of '%s', %u have types that are not known: their "
                 "calls are recorded without arguments", all, path, all - typed);
    if (!path || !text || !all)
        f->error = -ENOENT;
    free(text);
    free(path);
}

/*
 * Learn a function's row from a line of er_archive's output. If several files have the
 * function, the first one counts.
 */
static void
learn(struct finding *f, const char *library, const char *line)
{
    char table[NAME_MAX + 1], name[NAME_MAX + 1];
    size_t len = strcspn(line, "(");
    const char *base;
    size_t until = stem(library, &base);

    snprintf(name, sizeof(name), "%.*s", (int)until, base);
    for (u32 i = 0; i < f->bares; i++) {
        struct bare *b = &f->bare[i];

        if (b->row || strlen(b->name) != len || memcmp(b->name, line, len) != 0)
            continue;
        b->row = calltables_row(name, b->name, table);
        if (!b->row)
            b->row = strdup(line);
    }
}

static void
find_types(struct finding *f)
{
    u32 left = f->bares;

    for (u32 i = 0; i < f->files && left; i++) {
        char *rest = NULL;
        char *text = f->file[i] ? rows_of(f->file[i], f->bare, f->bares) : NULL;

        for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line;
             line = strtok_r(NULL, "\n", &rest))
            if (*line != '#')
                learn(f, f->file[i], line);
        free(text);
        left = 0;
        for (u32 k = 0; k < f->bares; k++)
            left += !f->bare[k].row;
    }
}

/* A list of words; what does not fit is left out. */
struct word_list {
    char text[SAID_MAX];
    size_t used;
};

static __attribute__((format(printf, 2, 3))) void
append(struct word_list *s, const char *format, ...)
{
    size_t room = sizeof(s->text) - s->used;
    va_list list;
    int n;

    va_start(list, format);
    n = vsnprintf(s->text + s->used, room, format, list);
    va_end(list);
    if (n > 0 && (size_t)n < room)
        s->used += (size_t)n;
    else if (s->used + 4 < sizeof(s->text))
        strcpy(s->text + s->used, " ...");
}

/*
 * Append the rows of functions given by name alone. A function that no file exports may
 * be in a library that the program loads later: then any table that has it is used.
 */
static void
put_bares(struct finding *f)
{
    struct word_list unknown = { .used = 0 }, believed = { .used = 0 };
    char table[NAME_MAX + 1];

    for (u32 i = 0; i < f->bares; i++) {
        struct bare *b = &f->bare[i];

        if (!b->row && (b->row = calltables_row(NULL, b->name, table)))
            append(&believed, "%s%s (%s)", believed.used ? ", " : "", b->name, table);
        put_row(f, b->row ? b->row : b->name);
        if (!b->row || !strchr(b->row, '('))
            append(&unknown, "%s%s", unknown.used ? ", " : "", b->name);
    }
    if (believed.used)
        err_warn("the program is not linked with these functions; their types are "
                 "those of the tables in parentheses: %s", believed.text);
    if (unknown.used)
        err_warn("no type is known of %s: calls are recorded without arguments",
                 unknown.text);
}

static int
add_bare(struct finding *f, const char *name)
{
    struct bare *more = realloc(f->bare, (f->bares + 1) * sizeof(*more));

    if (!more)
        return -ENOMEM;
    f->bare = more;
    more[f->bares] = (struct bare){ .name = strdup(name) };
    if (!more[f->bares].name)
        return -ENOMEM;
    f->bares++;
    return 0;
}

static void
complete(struct finding *f, char *rows, const char *program, pid_t pid)
{
    int listed = 0;
    char *rest = NULL;

    for (char *line = strtok_r(rows, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strchr(line, '(') && *line != '@') {
            put_row(f, line);
            continue;
        }
        if (!listed && pid)
            list_mapped(f, program, pid);
        else if (!listed)
            list_files(f, program);
        listed = 1;
        if (*line == '@')
            add_library(f, line + 1);
        else if (add_bare(f, line) < 0)
            f->error = -ENOMEM;
    }
    find_types(f);
    put_bares(f);
    if (f->rows > FUNCTIONS)
        err_warn("%u functions are named: calls of the first %d are recorded", f->rows,
                 FUNCTIONS);
}

int
callfind_complete(const char *rows, const char *program, pid_t pid, char **out)
{
    struct finding f = { .files = 0 };
    char *copy = strdup(rows);
    size_t size;

    f.to = open_memstream(&f.out, &size);
    if (copy && f.to)
        complete(&f, copy, program, pid);
    else
        f.error = -ENOMEM;
    if (f.to && fclose(f.to) != 0)
        f.error = -ENOMEM;
    for (u32 i = 0; i < f.bares; i++) {
        free(f.bare[i].name);
        free(f.bare[i].row);
    }
    for (u32 i = 0; i < f.files; i++)
        free(f.file[i]);
    free(f.bare);
    free(copy);
    if (f.error < 0)
        free(f.out);
    else
        *out = f.out;
    return f.error;
}
