/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/shrunk.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t page_bytes;

static void
on_bus(int number, siginfo_t *info, void *context)
{
    uintptr_t page = (uintptr_t)info->si_addr & ~(page_bytes - 1);
    int saved = errno;

    (void)context;
    if (info->si_code != BUS_ADRERR ||
        mmap((void *)page, page_bytes, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = saved;
}

void
shrunk_start(void)
{
    struct sigaction action = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };

    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, NULL);
}
