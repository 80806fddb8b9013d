/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/session/name.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_NAME "test.1.er"

int
name_numbered(const char *name, size_t *stem_len, u64 *n)
{
    size_t len = strlen(name), digits = 0, end;
    u64 value = 0;

    if (len < 6 || strcmp(name + len - 3, EXPERIMENT_SUFFIX) != 0)
        return 0;
    end = len - 3;
    while (digits < end && isdigit((unsigned char)name[end - digits - 1]))
        digits++;
    /* 18 digits fit, with room to count on. */
    if (digits == 0 || digits > 18 || digits + 1 >= end ||
        name[end - digits - 1] != '.')
        return 0;
    for (size_t i = end - digits; i < end; i++)
        value = value * 10 + (u64)(name[i] - '0');
    *stem_len = end - digits - 1;
    *n = value;
    return 1;
}

/*
 * Set *n to the highest N of the names stem.N.er in the directory; 0 = there is none.
 * Returns 0 or -errno.
 */
static int
highest_number(int directory, const char *stem, size_t stem_len, u64 *n)
{
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    u64 highest = 0;

    if (!dir) {
        int error = errno;

        if (fd >= 0)
            close(fd);
        return -error;
    }
    while ((entry = readdir(dir))) {
        size_t len;
        u64 number;

        if (name_numbered(entry->d_name, &len, &number) && len == stem_len &&
            !memcmp(entry->d_name, stem, len) && number > highest)
            highest = number;
    }
    closedir(dir);
    *n = highest;
    return 0;
}

static int
put_number(const char *stem, size_t stem_len, u64 n, char name[NAME_MAX_BYTES])
{
    int len = snprintf(name, NAME_MAX_BYTES, "%.*s.%llu" EXPERIMENT_SUFFIX,
                       (int)stem_len, stem, (unsigned long long)n);

    return len < NAME_MAX_BYTES ? 0 : -ENAMETOOLONG;
}

int
name_choose(int directory, const char *wanted, char name[NAME_MAX_BYTES])
{
    const char *form = wanted ? wanted : DEFAULT_NAME;
    size_t stem_len;
    struct stat st;
    u64 n;
    int ret;

    if (strlen(form) >= NAME_MAX_BYTES)
        return -ENAMETOOLONG;
    if (wanted && fstatat(directory, wanted, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        strcpy(name, wanted);
        return errno == ENOENT ? 0 : -errno;
    }
    if (!name_numbered(form, &stem_len, &n))
        return -EEXIST;
    ret = highest_number(directory, form, stem_len, &n);
    return ret < 0 ? ret : put_number(form, stem_len, n + 1, name);
}

int
name_create(int directory, const char *wanted, char name[NAME_MAX_BYTES],
            struct expdir *e)
{
    for (;;) {
        int ret = name_choose(directory, wanted, name);

        if (ret < 0)
            return ret;
        ret = experiment_create(e, directory, name);
        if (ret != -EEXIST)
            return ret;
    }
}
