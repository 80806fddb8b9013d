/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts "true" by its name, after clearenv() has removed environ: exec-bare HOW. Or
 * with arguments as long as the kernel takes, less some bytes: exec-bare HOW BYTES.
 */
/* build: -O1 -g */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 64, WORD = 100000 };

/*
 * Fill the words with what the kernel takes, less `left`: a quarter of the limit of the
 * stack, for strings and pointers.
 */
static void
fill(char **words, long left)
{
    long room = sysconf(_SC_ARG_MAX) - left - 100;

    for (int i = 1; room > 0 && i < WORDS - 1; i++) {
        long len = room > WORD ? WORD : room;

        words[i] = calloc((size_t)len, 1);
        memset(words[i], 'x', (size_t)len - 1);
        room -= len + (long)sizeof(*words);
    }
}

int
main(int argc, char **argv)
{
    char name[] = "true", *words[WORDS] = { name, NULL };
    int status = 8;
    pid_t pid;

    clearenv();
    if (argc > 2) {
        setenv("PATH", "/usr/bin:/bin", 1);
        fill(words, atol(argv[2]));
    }
    if (argc < 2 || !strcmp(argv[1], "exec"))
        execvp(name, words);
    else if (!strcmp(argv[1], "exec-environ"))
        execvpe(name, words, environ);
    else if (!strcmp(argv[1], "system"))
        status = system(name);
    else if (posix_spawnp(&pid, name, NULL, NULL, words, environ) != 0 ||
             waitpid(pid, &status, 0) < 0)
        return 9;
    return status;
}
