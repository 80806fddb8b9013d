/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemonizes FILE MS: becomes a daemon, burns MS of CPU time in burn(), has a child
 * burn as much, writes "PID CPU-SECONDS" of itself and of the child to FILE, and waits
 * to be killed.
 */
/* build: -O2 -g -fno-inline */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
cpu_seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

__attribute__((noipa)) static unsigned long
burn(double until)
{
    unsigned long x = 1;

    while (cpu_seconds() < until)
        for (int i = 0; i < 20000; i++)
            x = x * 6364136223846793005u + (x >> 7);
    return x;
}

static void
tell(FILE *file)
{
    fprintf(file, "%d %.6f\n", (int)getpid(), cpu_seconds());
    fflush(file);
}

int
main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[1], "we") : NULL;
    double seconds = argc == 3 ? atof(argv[2]) / 1000 : 0;
    pid_t child;

    if (!file || daemon(1, 0) < 0)
        return 1;
    (void)burn(seconds);
    tell(file);
    child = fork();
    if (child == 0) {
        (void)burn(seconds);
        tell(file);
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
    fputs("done\n", file);
    fflush(file);
    for (;;)
        pause();
}
