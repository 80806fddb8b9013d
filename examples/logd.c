/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small log server with three defects: something leaks, a lock is held for too long,
 * a file is read in the slowest way. Workers take lines from a pipe, look up the name
 * of their level and append them to a journal.
 *
 *   logd [LINES]
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS = 3, LINE = 64 };

struct entry {
    int level;
    char *text;
};

static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static int input[2], journal;
static unsigned long written;

static struct entry *
parse(const char *line)
{
    struct entry *e = malloc(sizeof(*e));

    e->level = line[0] - '0';
    e->text = strdup(line + 2);
    return e;
}

static void
release(struct entry *e)
{
    free(e->text);
    free(e);
}

/* The name of a level: that line of levels.txt. */
static void
level_name(int level, char *name)
{
    int fd = open("levels.txt", O_RDONLY | O_CLOEXEC), at = 0;
    char c;

    while (read(fd, &c, 1) == 1) {
        if (c == '\n') {
            if (level-- == 0)
                break;
            at = 0;
        } else if (at < 15) {
            name[at++] = c;
        }
    }
    name[at] = '\0';
    close(fd);
}

static void
append(const struct entry *e)
{
    char name[16], line[2 * LINE];
    int len;

    pthread_mutex_lock(&journal_lock);
    level_name(e->level, name);
    len = snprintf(line, sizeof(line), "%lu %s %s\n", written, name, e->text);
    if (write(journal, line, (size_t)len) == len)
        written++;
    if (written % 32 == 0)
        fdatasync(journal);
    pthread_mutex_unlock(&journal_lock);
}

static void
handle(const char *line)
{
    struct entry *e = parse(line);

    if (e->level == 0) /* nobody wants to read that */
        return;
    append(e);
    release(e);
}

static void *
work(void *arg)
{
    char line[LINE];

    while (read(input[0], line, LINE) == LINE)
        handle(line);
    return arg;
}

int
main(int argc, char **argv)
{
    long lines = argc > 1 ? atol(argv[1]) : 4000;
    int levels = open("levels.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    pthread_t worker[WORKERS];
    char line[LINE] = "";

    journal = open("journal.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (levels < 0 || journal < 0 || pipe(input) < 0)
        return 1;
    dprintf(levels, "debug\ninformation\nnotice\nwarning\nerror\n");
    close(levels);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&worker[i], NULL, work, NULL);
    for (long i = 0; i < lines; i++) {
        snprintf(line, sizeof(line), "%ld request %ld was served", i % 5, i);
        if (write(input[1], line, LINE) != LINE)
            return 1;
    }
    close(input[1]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    printf("%lu lines written\n", written);
    return 0;
}
