/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: how collect and its library look at the file of a program: whether it
 * can be recorded, its build-id, where a function begins. tests/fuzz/run builds it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/inspect/elfid.h"
#include "collector/inspect/elfsym.h"
#include "share/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    char path[64], interpreter[IMAGE_LINE];
    struct elfid id;
    struct stat st;
    u64 offset;

    if (fd < 0)
        fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size ||
        fstat(fd, &st))
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (image_read(fd, "a/program", interpreter) == IMAGE_SCRIPT &&
        strlen(interpreter) >= IMAGE_LINE)
        abort();
    (void)elfsym_find(path, "main", &offset);
    (void)elfsym_entry(path, &offset);
    for (offset = 0; offset < 1 << 14; offset += 1 << 12)
        if (elfid_read(path, st.st_dev, st.st_ino, offset, &id) == 0 &&
            strlen(id.buildid) > 2 * ELFID_BYTES)
            abort();
    return 0;
}
