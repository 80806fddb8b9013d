/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls with paths that cannot be read, which fail for another reason before the kernel
 * comes to the path. Prints how each ended. The last path ends with its page, behind
 * which nothing is mapped.
 */
/* build: -O1 -g -w */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BAD ((char *)8)

#define TELL(call)                                         \
    do {                                                   \
        errno = 0;                                         \
        result = (long)(call);                             \
        printf("%s: %ld, %d\n", #call, result, errno);     \
        fflush(stdout);                                    \
    } while (0)

int
main(void)
{
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    char buf[16], *last = page + 4096 - sizeof("/nowhere/last");
    struct stat st;
    long result;

    TELL(access(BAD, 0xff));
    TELL(truncate(BAD, -1));
    TELL(readlink(BAD, buf, 0));
    TELL(unlinkat(AT_FDCWD, BAD, 0x77));
    TELL(linkat(AT_FDCWD, BAD, AT_FDCWD, BAD, 0xf0));
    TELL(renameat2(AT_FDCWD, BAD, AT_FDCWD, BAD, 0xff));
    TELL(fstatat(AT_FDCWD, BAD, &st, 0xf000f));
    TELL(open(BAD, O_TMPFILE | O_RDONLY));
    TELL(link("/nowhere/from", BAD));
    TELL(open(BAD, O_RDONLY));
    munmap(page + 4096, 4096);
    strcpy(last, "/nowhere/last");
    TELL(access(last, F_OK));
    return 0;
}
