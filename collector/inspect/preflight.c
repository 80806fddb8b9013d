/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/preflight.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/*
 * Look at the file result->program. Returns 1 if it is a script or a text:
 * result->program is then the program that runs it.
 */
static int
read_once(struct preflight *result)
{
    char interpreter[IMAGE_LINE];
    int fd = open(result->program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    result->kind = IMAGE_UNREAD;
    if (fd >= 0) {
        result->kind = image_read(fd, result->program, interpreter);
        close(fd);
    }
    if (result->kind == IMAGE_SCRIPT) {
        result->scripts++;
        strcpy(result->program, interpreter);
    } else if (result->kind == IMAGE_TEXT) {
        result->shell = 1;
        strcpy(result->program, "/bin/sh");
    }
    return result->kind == IMAGE_SCRIPT || result->kind == IMAGE_TEXT;
}

void
preflight_read(const char *path, struct preflight *result)
{
    memset(result, 0, sizeof(*result));
    strncpy(result->program, path, sizeof(result->program) - 1);
    for (int i = 0; i <= IMAGE_SCRIPT_DEPTH; i++)
        if (!read_once(result))
            return;
    result->kind = IMAGE_UNREAD;
}
