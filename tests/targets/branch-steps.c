/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/*
 * Writes down which branches a program takes: runs it step by step, from the moment at
 * which it stops itself (SIGSTOP) to the second such moment, and writes to a file
 *
 *   map START END OFFSET PATH     what was mapped executable at the first stop
 *   pid PID
 *   FROM TO                       each branch that was taken, in order
 *   at ADDRESS                    where it stood at the second stop
 *
 * in hexadecimal. This is what a processor with a record of branches would say.
 * usage: branch-steps FILE PROGRAM [ARGUMENT...]
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STEPS_MOST = 3000000,
};

/* The length of a branch instruction; 0 = it is none, or always goes elsewhere. */
static unsigned
branch_length(const unsigned char *code, int *is_branch)
{
    unsigned at = 0;

    *is_branch = 1;
    while (at < 4 && (code[at] == 0xf2 || code[at] == 0x3e || code[at] == 0x2e ||
                      (code[at] & 0xf0) == 0x40))
        at++;
    if ((code[at] & 0xf0) == 0x70 || code[at] == 0xeb ||
        (code[at] >= 0xe0 && code[at] <= 0xe3))
        return at + 2;
    if (code[at] == 0xe8 || code[at] == 0xe9)
        return at + 5;
    if (code[at] == 0x0f && (code[at + 1] & 0xf0) == 0x80)
        return at + 6;
    if (code[at] == 0xc2 || code[at] == 0xc3)
        return 0;
    if (code[at] == 0xff && ((code[at + 1] >> 3 & 7) == 2 ||
                             (code[at + 1] >> 3 & 7) == 4))
        return 0;
    *is_branch = 0;
    return 0;
}

static void
fail(const char *what)
{
    perror(what);
    exit(2);
}

static int
wait_stop(pid_t pid)
{
    int status;

    if (waitpid(pid, &status, 0) < 0)
        fail("waitpid");
    if (!WIFSTOPPED(status)) {
        fprintf(stderr, "the program has ended\n");
        exit(2);
    }
    return WSTOPSIG(status);
}

static void
write_maps(pid_t pid, FILE *f)
{
    char path[64], line[4500], rights[8], name[4096];
    unsigned long start, end, offset;
    FILE *maps;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    maps = fopen(path, "r");
    if (!maps)
        fail(path);
    while (fgets(line, sizeof(line), maps))
        if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095[^\n]", &start, &end, rights,
                   &offset, name) == 5 &&
            rights[2] == 'x')
            fprintf(f, "map %lx %lx %lx %s\n", start, end, offset, name);
    fclose(maps);
    fprintf(f, "pid %x\n", (unsigned)pid);
}

static void
step_through(pid_t pid, FILE *f)
{
    struct user_regs_struct regs;
    unsigned char code[16];

    if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0)
        fail("PTRACE_GETREGS");
    for (long i = 0; i < STEPS_MOST; i++) {
        unsigned long from = regs.rip;
        int is_branch, signal;
        unsigned length;

        errno = 0;
        for (unsigned k = 0; k < sizeof(code); k += 8) {
            long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)(from + k), NULL);

            memcpy(code + k, &word, sizeof(word));
        }
        length = branch_length(code, &is_branch);
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) < 0)
            fail("PTRACE_SINGLESTEP");
        signal = wait_stop(pid);
        if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0)
            fail("PTRACE_GETREGS");
        if (signal == SIGSTOP)
            break;
        if (is_branch && regs.rip != from + length)
            fprintf(f, "%lx %lx\n", from, (unsigned long)regs.rip);
    }
    fprintf(f, "at %lx\n", (unsigned long)regs.rip);
}

int
main(int argc, char **argv)
{
    FILE *f = argc > 2 ? fopen(argv[1], "w") : NULL;
    int status, signal;
    pid_t pid;

    if (!f)
        fail("usage: branch-steps FILE PROGRAM [ARGUMENT...]");
    pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
            fail("PTRACE_TRACEME");
        execv(argv[2], argv + 2);
        fail(argv[2]);
    }
    wait_stop(pid);
    do {
        if (ptrace(PTRACE_CONT, pid, NULL, NULL) < 0)
            fail("PTRACE_CONT");
        signal = wait_stop(pid);
    } while (signal != SIGSTOP);
    write_maps(pid, f);
    step_through(pid, f);
    if (fclose(f))
        fail(argv[1]);
    (void)ptrace(PTRACE_CONT, pid, NULL, NULL);
    while (waitpid(pid, &status, 0) > 0 && WIFSTOPPED(status))
        (void)ptrace(PTRACE_CONT, pid, NULL, NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
