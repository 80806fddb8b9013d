/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-vfork: its one thread waits for a child of vfork, as no signal and no tracer
 * can interrupt it there; the child ends after 2 s. Then it runs until the end of its
 * input.
 */
/* build: -O2 -g */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int
main(void)
{
    const struct timespec two = { 2, 0 };
    pid_t child;
    char byte;

    setvbuf(stdout, NULL, _IONBF, 0);
    puts("ready");
    child = vfork();
    if (child == 0) {
        nanosleep(&two, NULL);
        _exit(0);
    }
    if (child < 0 || waitpid(child, NULL, 0) != child)
        return 1;
    while (read(STDIN_FILENO, &byte, 1) == 1)
        continue;
    puts("ended");
    return 0;
}
