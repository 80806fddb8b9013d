/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/page_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "collector/inspect/moment.h"
#include "share/logxml.h"

enum { PAGE = 4096 };

static volatile sig_atomic_t parted;

/*
 * Replace the page by a private page with the same bytes. 1, or 0 if they cannot be
 * read.
 */
static int
part(char *page)
{
    const int prot = PROT_READ | PROT_WRITE;
    char *copy = mmap(NULL, PAGE, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct iovec to = { copy, PAGE }, from = { page, PAGE };

    return copy != MAP_FAILED &&
           process_vm_readv(getpid(), &to, 1, &from, 1, 0) == PAGE &&
           mremap(copy, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED;
}

void
page_copy_signal(int sig, siginfo_t *info, void *context)
{
    uintptr_t page = (uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1);

    (void)context;
    if (info->si_code > 0 && part((char *)page))
        parted = 1;
    else
        signal(sig, SIG_DFL); /* the fault comes again */
}

void
page_copy_check(struct expdir *e)
{
    struct ctl now;
    int fd;

    if (!parted)
        return;
    fd = openat(e->dir, EXPERIMENT_CONTROL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    if (pread(fd, &now, sizeof(now), 0) == (ssize_t)sizeof(now) &&
        now.magic == ER_CTL_MAGIC)
        memcpy(e->ctl, &now, sizeof(now));
    close(fd);
    (void)log_event(e->log, EVENT_disk_full, moment_mono(), EXPERIMENT_CONTROL,
                    strerror(ENOSPC), NULL, 0);
}
