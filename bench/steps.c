/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the instructions that an event takes, by library: the target is single-stepped
 * through some of its events. Unlike times, these numbers are the same on a busy
 * machine.
 *
 *   steps COLLECT DIR KIND OPTIONS...   events of KIND in a target that COLLECT records
 *   steps - DIR KIND                    in a target that nobody records
 *   steps load KIND                     the target itself
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DEPTH = 20,
    WARM = 20000, /* events before the first that is stepped */
    COLD = 2, /* first events stepped, not counted: the walk does not know their call */
    STEPPED = 8,
    REGIONS = 256,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int null;
static char kind;

__attribute__((noinline)) static void
event(void)
{
    void *block;

    switch (kind) {
    case 'h':
        block = malloc(64);
        __asm__ volatile("" : : "r"(block) : "memory");
        free(block);
        return;
    case 'l':
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        return;
    default:
        if (write(null, "x", 1) != 1)
            abort();
    }
}

__attribute__((noinline)) static void
deep(int depth)
{
    if (depth) {
        deep(depth - 1);
        __asm__ volatile("");
        return;
    }
    for (int i = 0; i < WARM + COLD + STEPPED; i++) {
        if (i >= WARM)
            __asm__ volatile("int3");
        event();
        if (i >= WARM)
            __asm__ volatile("int3");
    }
}

/* The target: prints its pid, waits until it is traced, and produces the events. */
static int
load(void)
{
    char c;

    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    null = open("/dev/null", O_WRONLY);
    printf("%d\n", getpid());
    fflush(stdout);
    if (read(STDIN_FILENO, &c, 1) == 1)
        deep(DEPTH);
    return 0;
}

/* The target's executable mappings, with the instructions that were counted in each. */
static struct region {
    unsigned long lo, hi;
    char name[64];
    long count;
} regions[REGIONS];
static int nregions;
static long total, rdtsc;

static void
read_regions(pid_t pid)
{
    char path[64], line[4200], perms[8], name[4096], *slash;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    f = fopen(path, "r");
    while (f && nregions < REGIONS && fgets(line, sizeof(line), f)) {
        struct region *r = &regions[nregions];

        *name = '\0';
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %4095s", &r->lo, &r->hi, perms,
                   name) < 3 || !strchr(perms, 'x'))
            continue;
        slash = strrchr(name, '/');
        snprintf(r->name, sizeof(r->name), "%.63s", slash ? slash + 1 : name);
        nregions++;
    }
    if (f)
        fclose(f);
}

static void
count(pid_t pid, unsigned long pc)
{
    long word = ptrace(PTRACE_PEEKTEXT, pid, pc, 0);

    total++;
    rdtsc += (word & 0xffff) == 0x310f;
    for (int i = 0; i < nregions; i++)
        if (pc >= regions[i].lo && pc < regions[i].hi)
            regions[i].count++;
}

/* Has the thread just executed an int3 in the program's own code? */
static int
is_mark(pid_t pid, unsigned long pc, unsigned long first)
{
    long word = ptrace(PTRACE_PEEKTEXT, pid, pc - 1, 0);

    return (word & 0xff) == 0xcc && (!first || pc >> 12 == first >> 12);
}

static void
step(pid_t pid)
{
    struct user_regs_struct regs;
    unsigned long first = 0;
    int status, inside = 0, events = 0;

    while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
        int signo = WSTOPSIG(status);

        if (signo == SIGTRAP && status >> 16 == 0) {
            ptrace(PTRACE_GETREGS, pid, 0, &regs);
            if (is_mark(pid, regs.rip, first)) {
                inside = !inside;
                events += inside;
                first = regs.rip;
            }
            if (inside && events > COLD)
                count(pid, regs.rip);
        }
        ptrace(inside ? PTRACE_SINGLESTEP : PTRACE_CONT, pid, 0,
               signo == SIGTRAP || status >> 16 ? 0 : signo);
    }
}

static void
start(char **argv, int in[2], int out[2])
{
    char self[4096] = "";
    char *command[32] = { argv[1], "-A", "off", "-o", argv[2] };
    int n = strcmp(argv[1], "-") ? 5 : 0;

    if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
        _exit(127);
    for (int i = 4; n && argv[i] && n < 24; i++)
        command[n++] = argv[i];
    command[n++] = self;
    command[n++] = "load";
    command[n++] = argv[3];
    command[n] = NULL;
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    close(in[1]);
    close(out[0]);
    execv(command[0], command);
    _exit(127);
}

int
main(int argc, char **argv)
{
    int in[2], out[2], pid = 0, status;
    FILE *f;

    if (argc == 3 && !strcmp(argv[1], "load")) {
        kind = *argv[2];
        return load();
    }
    if (argc < 4 || pipe(in) < 0 || pipe(out) < 0)
        return 2;
    if (fork() == 0)
        start(argv, in, out);
    close(in[0]);
    close(out[1]);
    f = fdopen(out[0], "r");
    if (!f || fscanf(f, "%d", &pid) != 1 || ptrace(PTRACE_SEIZE, pid, 0, 0) < 0) {
        fprintf(stderr, "steps: the target cannot be traced\n");
        return 1;
    }
    read_regions(pid);
    if (write(in[1], "x", 1) != 1)
        return 1;
    step(pid);
    printf("%s: %ld instructions, %ld rdtsc;", argv[3], total / STEPPED,
           rdtsc / STEPPED);
    for (int i = 0; i < nregions; i++)
        if (regions[i].count >= STEPPED)
            printf(" %s %ld", regions[i].name, regions[i].count / STEPPED);
    printf("\n");
    close(in[1]);
    while (wait(&status) > 0)
        continue;
    return 0;
}
