/* SPDX-License-Identifier: Apache-2.0 */
#include "share/beside.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

int
beside_path(char path[PATH_MAX], const char *format, ...)
{
    ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
    va_list list;
    int n;

    if (len < 0)
        return -errno;
    while (len > 0 && path[len - 1] != '/')
        len--;
    if (len == 0)
        return -ENOENT;
    va_start(list, format);
    n = vsnprintf(path + len, PATH_MAX - (size_t)len, format, list);
    va_end(list);
    return n >= 0 && n < PATH_MAX - len ? 0 : -ENAMETOOLONG;
}
