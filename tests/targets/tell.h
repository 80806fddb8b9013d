/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share that read an experiment by the contract alone. */
#ifndef ERTOOLS_TESTS_TARGETS_TELL_H
#define ERTOOLS_TESTS_TARGETS_TELL_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/types.h"

/* The end of the log names the file among those that nothing was recorded in. */
static inline int
is_unused(const char *experiment, const char *name)
{
    char path[4096], line[4096];
    int found = 0;
    FILE *log;

    snprintf(path, sizeof(path), "%s/log.xml", experiment);
    log = fopen(path, "r");
    while (log && fgets(line, sizeof(line), log)) {
        const char *unused = strstr(line, " unused=\"");

        found |= unused && strstr(unused, name) != NULL;
    }
    if (log)
        fclose(log);
    return found;
}

/* A file of the experiment and its size in bytes; NULL where it is empty. */
static inline void *
map_file(const char *experiment, const char *name, u64 *size)
{
    char path[4096];
    struct stat st;
    void *data;
    int fd;

    snprintf(path, sizeof(path), "%s/%s", experiment, name);
    fd = open(path, O_RDONLY);
    if (fd < 0 && is_unused(experiment, name)) {
        *size = 0;
        return NULL;
    }
    if (fd < 0 || fstat(fd, &st) < 0) {
        perror(path);
        exit(2);
    }
    *size = (u64)st.st_size;
    data = *size ? mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0) : NULL;
    close(fd);
    return data;
}

#endif
