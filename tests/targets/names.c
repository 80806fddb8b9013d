/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with functions of its own by names that libc has too, where they mean
 * something else. Whoever calls one of them ends the program with a word about it.
 */
/* build: -O1 -g -w -fno-builtin */
/* build: name=calls -O1 -g -w -fno-builtin -DCALLS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define OURS(name)                                                                     \
    int name(void)                                                                     \
    {                                                                                  \
        printf("somebody called " #name "\n");                                         \
        fflush(stdout);                                                                \
        abort();                                                                       \
    }

#ifdef CALLS
OURS(access)
OURS(close)
OURS(dl_iterate_phdr)
OURS(fgetxattr)
OURS(fstat)
OURS(fstatfs)
OURS(getegid)
OURS(geteuid)
OURS(getgid)
OURS(getpid)
OURS(getrlimit)
OURS(getuid)
OURS(kill)
OURS(madvise)
OURS(munmap)
OURS(open)
OURS(openat)
OURS(pread)
OURS(readlink)
OURS(stat)
OURS(write)
#else
OURS(memchr)
OURS(memcmp)
OURS(memmem)
OURS(sigaddset)
OURS(sigdelset)
OURS(sigemptyset)
OURS(sigfillset)
OURS(sigismember)
OURS(stpcpy)
OURS(strcat)
OURS(strchr)
OURS(strcmp)
OURS(strcpy)
OURS(strcspn)
OURS(strlen)
OURS(strncmp)
OURS(strncpy)
OURS(strnlen)
OURS(strrchr)
OURS(strspn)
OURS(strstr)
#endif

int
main(void)
{
    struct timespec now;
    volatile unsigned sum = 0;

    do {
        for (unsigned i = 0; i < 1000; i++)
            sum += i;
        free(malloc(100));
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec == 0 && now.tv_nsec < 50000000);
    printf("nobody called\n");
    return 5;
}
