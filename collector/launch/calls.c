/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/launch/calltables.h"
#include "share/calltype.h"
#include "share/experiment.h"
#include "share/readfile.h"
#include "share/writeall.h"

enum {
    FILE_MAX = 1 << 20,
    ASKED_MAX = 400, /* bytes of a value, and of a list that is still extended */
};

static char wrong[1200];

static const char *
row_error(const char *file, u32 line, const char *row, u32 len, u32 at, const char *why)
{
    const char *place = row + at;
    char where[PATH_MAX + 32] = "";

    if (file)
        snprintf(where, sizeof(where), "%s, line %u: ", file, line);
    if (at < len)
        snprintf(wrong, sizeof(wrong), "rows such as 'PQexec(ptr,sql)->ptr' (%.500s%s "
                 "at '%.*s')", where, why, (int)(len - at < 40 ? len - at : 40), place);
    else
        snprintf(wrong, sizeof(wrong), "rows such as 'PQexec(ptr,sql)->ptr' (%.500s%s "
                 "at the end)", where, why);
    return wrong;
}

/* Check a row of types. file: the file that has the row; NULL = the option itself. */
static const char *
check_row(const char *file, u32 line, const char *row, u32 len)
{
    struct call_type type;
    u32 at;
    const char *why = calltype_parse(row, len, &type, &at);

    if (why)
        return row_error(file, line, row, len, at, why);
    why = calltype_refused(row + type.name.at, type.name.len);
    if (!why)
        return NULL;
    snprintf(wrong, sizeof(wrong), "functions that can be called by another (%.*s: %s)",
             (int)type.name.len, row + type.name.at, why);
    return wrong;
}

static int
append(char **rows, const char *row, u32 len)
{
    size_t before = *rows ? strlen(*rows) : 0;
    char *longer = realloc(*rows, before + len + 2);

    if (!longer)
        return -ENOMEM;
    memcpy(longer + before, row, len);
    longer[before + len] = '\n';
    longer[before + len + 1] = '\0';
    *rows = longer;
    return 0;
}

static const char *
add_text(char **rows, const char *file, const char *text, size_t size)
{
    struct call_span row;
    const char *start, *why;
    u64 at = 0;
    u32 line = 0, count = 0;

    for (; calltype_next(text, size, &at, &line, &row, &start); count++) {
        why = check_row(file, line, start, row.len);
        if (why)
            return why;
        if (append(rows, start, row.len) < 0)
            return "less: there is no memory";
    }
    if (count)
        return NULL;
    snprintf(wrong, sizeof(wrong), "at least one row (%.500s has none)",
             file ? file : "it");
    return wrong;
}

static const char *
add_file(char **rows, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    const char *why;
    size_t size;
    int ret = fd < 0 ? -errno : readfile_plain(fd, FILE_MAX, &text, &size);

    if (ret == 0) {
        why = add_text(rows, path, text, size);
    } else {
        snprintf(wrong, sizeof(wrong), "a file that can be read (%.500s: %s)", path,
                 ret == -EINVAL   ? "it is no regular file"
                 : ret == -EFBIG ? "it is larger than 1 MB"
                                 : strerror(-ret));
        why = wrong;
    }
    if (fd >= 0)
        close(fd);
    free(text);
    return why;
}

/*
 * Add the rows of a table. A name for which there is no table may be a library of the
 * program, so it is kept as it is.
 */
static const char *
add_table(char **rows, const char *name)
{
    char path[PATH_MAX], row[PATH_MAX + 2];

    if (*name && calltables_path(name, path))
        return add_file(rows, path);
    if (!*name || strchr(name, '\n') || strlen(name) >= PATH_MAX)
        return "@ and the name of a table that comes with collect, or of a library";
    snprintf(row, sizeof(row), "@%s", name);
    return append(rows, row, (u32)strlen(row)) < 0 ? "less: there is no memory" : NULL;
}

const char *
calls_add(char **rows, const char *value)
{
    size_t len = strlen(value);

    if (*value == '@')
        return add_table(rows, value + 1);
    if (!strchr(value, '(') &&
        (strchr(value, '/') || (len > 6 && !strcmp(value + len - 6, ".calls"))))
        return add_file(rows, value);
    return add_text(rows, NULL, value, len);
}

int
calls_append(const char **asked, const char *value)
{
    char *both;

    if (*asked && strlen(*asked) > ASKED_MAX)
        return 0;
    if (asprintf(&both, "%s%s%.*s", *asked ? *asked : "", *asked ? " " : "", ASKED_MAX,
                 value) < 0)
        return -ENOMEM;
    *asked = both;
    return 0;
}

int
calls_write(int dir, const char *rows)
{
    int fd = openat(dir, EXPERIMENT_CALLS,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int ret = fd < 0 ? -errno : writeall(fd, rows, strlen(rows));

    if (fd >= 0)
        close(fd);
    return ret;
}
