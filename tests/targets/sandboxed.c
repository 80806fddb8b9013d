/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 */
/*
 * usage: sandboxed filter|landlock PROGRAM: works, restricts itself in a way that
 * leaves PROGRAM all that it needs, and runs it in a child. Prints its status; "not
 * permitted" with status 3 where the kernel cannot do so.
 *
 * filter: kills for calls that a profiler makes.
 * landlock: only what is below /usr, /etc, /lib*, /bin and /dev can be opened.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* linux/landlock.h, which is not everywhere. */
enum { EXECUTE = 1, WRITE = 2, READ = 4, LIST = 8, PATH_BENEATH = 1 };

struct beneath {
    unsigned long long allowed;
    int fd;
} __attribute__((packed));

static volatile unsigned long sink;

__attribute__((noinline)) static void
work(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC / 10;

    while (clock() < end)
        for (int i = 0; i < 10000; i++)
            sink += (unsigned long)i;
}

static int
set_filter(void)
{
    static const unsigned short killed[] = {
        SYS_timer_create, SYS_timer_settime, SYS_perf_event_open, SYS_getrusage,
        SYS_mremap,       SYS_fallocate,     SYS_faccessat2,      SYS_ioctl,
    };
    enum { KILLED = sizeof(killed) / sizeof(killed[0]) };
    struct sock_filter code[KILLED + 3];
    struct sock_fprog program = { KILLED + 3, code };

    code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, nr));
    for (int i = 0; i < KILLED; i++)
        code[i + 1] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, killed[i],
                                         (unsigned char)(KILLED - i), 0);
    code[KILLED + 1] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[KILLED + 2] =
        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int
set_landlock(void)
{
    static const char *const open_to[] = { "/usr", "/etc",   "/lib",
                                           "/bin", "/lib64", "/dev" };
    unsigned long long all = EXECUTE | WRITE | READ | LIST;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);

    for (unsigned i = 0; rules >= 0 && i < sizeof(open_to) / sizeof(*open_to); i++) {
        struct beneath rule = { all, open(open_to[i], O_PATH) };

        syscall(SYS_landlock_add_rule, rules, PATH_BENEATH, &rule, 0);
    }
    return rules < 0 ? -1 : (int)syscall(SYS_landlock_restrict_self, rules, 0);
}

int
main(int argc, char **argv)
{
    int status = 0;
    pid_t pid;

    if (argc < 3)
        return 2;
    work();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!strcmp(argv[1], "filter") ? set_filter() : set_landlock()) {
        puts("not permitted");
        return 3;
    }
    pid = fork();
    if (pid == 0) {
        execl(argv[2], argv[2], "ran", (char *)NULL);
        _exit(9);
    }
    waitpid(pid, &status, 0);
    printf("status %x\n", (unsigned)status);
    return 7;
}
