/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/shrunk.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 64 };

Test(shrunk, what_is_gone_reads_as_zeros)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), sum = 0;
    int fd = memfd_create("shrunk", MFD_CLOEXEC);
    char *data = malloc(PAGES * page);

    memset(data, 1, PAGES * page);
    cr_assert_eq(write(fd, data, PAGES * page), (ssize_t)(PAGES * page));
    free(data);
    data = mmap(NULL, PAGES * page, PROT_READ, MAP_SHARED, fd, 0);
    cr_assert_neq((void *)data, MAP_FAILED);
    shrunk_start();
    cr_assert_eq(data[PAGES * page - 1], 1);
    cr_assert_eq(ftruncate(fd, (off_t)(10 * page + 7)), 0);
    for (size_t i = 0; i < PAGES * page; i++)
        sum += (unsigned char)data[i];
    cr_assert_eq(sum, 10 * page + 7);
    close(fd);
}

/* What is no such page ends the program, as ever. */
Test(shrunk, another_sigbus_is_one, .signal = SIGBUS)
{
    shrunk_start();
    raise(SIGBUS);
}
