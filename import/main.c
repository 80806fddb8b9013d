/* SPDX-License-Identifier: Apache-2.0 */
/* er_import: converts files of other profilers to experiments. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/import.h"
#include "import/slurp.h"
#include "manage/options.h"
#include "share/err.h"
#include "share/experiment.h"

static const struct format {
    const char *name;
    int (*read)(struct import *im, struct bytes file);
} formats[] = {
#define IMPORT_FORMAT(name, doc) { #name, import_##name },
#include "import/formats.def"
#undef IMPORT_FORMAT
};

struct arguments {
    const char *name; /* name of the experiment, NULL = made from the file's */
};

static void
parse_option(void *context, int letter, const char *value)
{
    struct arguments *a = context;
    size_t len = strlen(value);

    (void)letter;
    if (len < 4 || strcmp(value + len - 3, ".er") != 0)
        err_die(TOOL_USAGE, "%s: the name of an experiment must end in .er", value);
    a->name = value;
}

static bool
is_directory(const char *path)
{
    struct stat st;

    return strcmp(path, "-") && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * Opens the file; if it is a directory, opens the file in it that describes the others.
 */
static int
open_file(const char *file, struct slurp *out)
{
    char *path = NULL;
    int ret;

    if (!is_directory(file))
        return slurp_open(out, file);
    if (asprintf(&path, "%s/" EXPERIMENT_LOG, file) < 0)
        return -ENOMEM;
    ret = slurp_open(out, path);
    free(path);
    return ret;
}

/* test.1.er, a directory, becomes test.1-import.er. */
static char *
name_for_directory(const char *path)
{
    size_t len = strlen(path), from;
    char *name;

    while (len > 1 && path[len - 1] == '/')
        len--;
    for (from = len; from > 0 && path[from - 1] != '/';)
        from--;
    if (len - from > 3 && !memcmp(path + len - 3, ".er", 3))
        len -= 3;
    if (asprintf(&name, "%.*s-import.er", (int)(len - from), path + from) < 0)
        err_die(TOOL_FAILED, "no memory is left");
    return name;
}

/*
 * The experiment's name: perf.data becomes perf.er, in the working directory. The
 * caller frees it.
 */
static char *
name_for(const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    size_t len = strcspn(base, ".");
    char *name;

    if (is_directory(file))
        return name_for_directory(file);
    if (!strcmp(file, "-"))
        base = "import", len = strlen(base);
    if (asprintf(&name, "%.*s.er", (int)len, base) < 0)
        err_die(TOOL_FAILED, "no memory is left");
    return name;
}

/* Reads the file: tries the readers of all formats until one accepts it. */
static int
read_file(struct import *im, struct bytes file)
{
    const char *name = im->file;
    struct bytes mapped = im->mapped;

    for (u32 i = 0; i < ER_COUNT(formats); i++) {
        int ret = formats[i].read(im, file);

        if (ret != -ENOEXEC) {
            im->format = formats[i].name;
            return ret;
        }
        import_close(im);
        import_open(im, name);
        im->mapped = mapped;
    }
    return -ENOEXEC;
}

static const char *
reason(const struct import *im, int err)
{
    if (err == -ENOEXEC)
        return "it has none of the formats that er_import reads";
    if (err == -EBADMSG)
        return im->why;
    return strerror(-err);
}

static void
report(const struct import *im, const char *path)
{
    u32 processes = 0, threads = 0;

    for (u32 i = 0; i < im->nprocesses; i++)
        if (im->process[i].has_hits) {
            processes++;
            threads += im->process[i].nthreads;
        }
    if (im->cut_at)
        err_warn("%s ends too soon, at %" PRIu64 ": what comes before is imported",
                 im->file, im->cut_at);
    for (u32 i = 0; i < im->nnotes; i++)
        err_warn("%s: of the imported file, %s", path, im->note[i]);
    err_print("%s: %u %s, %u %s", path, processes,
              processes == 1 ? "process" : "processes", threads,
              threads == 1 ? "thread" : "threads");
}

static enum tool_status
import_file(const char *file, const char *name)
{
    char *path = name ? strdup(name) : name_for(file);
    struct slurp bytes;
    struct import im;
    int ret = path ? open_file(file, &bytes) : -ENOMEM;

    if (ret < 0) {
        err_warn("%s cannot be read: %s", file, strerror(-ret));
        free(path);
        return TOOL_FAILED;
    }
    import_open(&im, file);
    if (bytes.map)
        im.mapped = bytes.bytes;
    ret = read_file(&im, bytes.bytes);
    slurp_forget(im.mapped);
    if (ret < 0) {
        err_warn("%s cannot be imported: %s", file, reason(&im, ret));
    } else {
        ret = import_write(&im, path);
        if (ret == -ENOENT)
            err_warn("%s cannot be imported: it has no samples", file);
        else if (ret < 0)
            err_warn("%s cannot be written: %s", path, strerror(-ret));
        else
            report(&im, path);
    }
    import_close(&im);
    slurp_close(&bytes);
    free(path);
    return ret < 0 ? TOOL_FAILED : TOOL_DONE;
}

int
main(int argc, char **argv)
{
    struct arguments arguments = { NULL };
    int first = options_read("er_import", argc, argv, parse_option, &arguments);
    enum tool_status status = TOOL_DONE;

    if (first == argc)
        err_die(TOOL_USAGE, "no file is named; er_import --help tells more");
    if (arguments.name && argc - first > 1)
        err_die(TOOL_USAGE, "-o names one experiment, but there are %d files",
                argc - first);
    for (int i = first; i < argc; i++)
        if (import_file(argv[i], arguments.name) != TOOL_DONE)
            status = TOOL_FAILED;
    return (int)status;
}
