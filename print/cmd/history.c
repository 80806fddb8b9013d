/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/history.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/export/mem.h"

/* If the file has more lines than this, it is cut to HISTORY_MAX. */
enum { LINES_TOO_MANY = 2 * HISTORY_MAX };

static char *last;

/*
 * Does the directory belong to another user? After `su`, $HOME may; and that user's
 * links may lead anywhere.
 */
static bool
is_of_another(const char *dir)
{
    struct stat st;

    return stat(dir, &st) == 0 && st.st_uid != geteuid() && st.st_uid != 0;
}

/*
 * Get the file's path. Returns 0, or -1 if it is not known, or in another user's home.
 */
static int
file_name(char path[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool at_state = state && *state == '/';
    int n = -1;

    if ((at_state || home) && is_of_another(at_state ? state : home))
        return -1;
    if (at_state)
        n = snprintf(path, PATH_MAX, "%s/ertools/er_print_history", state);
    else if (home && *home == '/')
        n = snprintf(path, PATH_MAX, "%s/.local/state/ertools/er_print_history", home);
    return n > 0 && n < PATH_MAX ? 0 : -1;
}

/* Make the directories that lead to a path. */
static void
make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* Open the file; NULL if that fails, or if it is not a regular file. */
static FILE *
open_file(const char *path, int flags, const char *mode)
{
    int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    struct stat st;
    FILE *f = NULL;

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        f = fdopen(fd, mode);
    if (!f && fd >= 0)
        close(fd);
    return f;
}

struct lines {
    char *text[LINES_TOO_MANY]; /* a ring: line n is at n % LINES_TOO_MANY */
    size_t count; /* lines read, also those that the ring no longer has */
};

static void
read_lines(struct lines *lines, FILE *f)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;

    while ((n = getline(&line, &size, f)) > 0) {
        char **place = &lines->text[lines->count % LINES_TOO_MANY];

        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        free(*place);
        *place = mem_strdup(line);
        lines->count++;
    }
    free(line);
}

/* Write the last HISTORY_MAX lines into a new file, and rename it over the old one. */
static void
write_again(const struct lines *lines, const char *path)
{
    char fresh[PATH_MAX + 8];
    FILE *f;
    int fd;

    snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path);
    fd = mkostemp(fresh, O_CLOEXEC);
    f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (size_t i = lines->count - HISTORY_MAX; i < lines->count; i++)
        fprintf(f, "%s\n", lines->text[i % LINES_TOO_MANY]);
    if (fclose(f) || rename(fresh, path))
        unlink(fresh);
}

void
history_read(int (*add)(const char *line))
{
    struct lines lines = { .count = 0 };
    char path[PATH_MAX];
    FILE *f;

    if (file_name(path) || !(f = open_file(path, O_RDONLY, "r")))
        return;
    read_lines(&lines, f);
    fclose(f);
    for (size_t i = lines.count > HISTORY_MAX ? lines.count - HISTORY_MAX : 0;
         i < lines.count; i++)
        add(lines.text[i % LINES_TOO_MANY]);
    if (lines.count >= LINES_TOO_MANY)
        write_again(&lines, path);
    free(last);
    last = lines.count ? mem_strdup(lines.text[(lines.count - 1) % LINES_TOO_MANY])
                       : NULL;
    for (size_t i = 0; i < LINES_TOO_MANY; i++)
        free(lines.text[i]);
}

void
history_keep(const char *line)
{
    char path[PATH_MAX];
    FILE *f;

    if (*line == ' ' || (last && !strcmp(last, line)) || file_name(path))
        return;
    free(last);
    last = mem_strdup(line);
    make_directories(path);
    f = open_file(path, O_WRONLY | O_APPEND | O_CREAT, "a");
    if (!f)
        return;
    fprintf(f, "%s\n", line);
    fclose(f);
}
