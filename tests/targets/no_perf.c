/* SPDX-License-Identifier: Apache-2.0 */
/*
 * no_perf COMMAND...: runs it where perf_event_open is refused, as in many containers;
 * the variant no_perf-clock refuses CPU-time timers as well, no_perf-timer these alone;
 * no_perf-ptrace refuses ptrace as well.
 */
/* build: -O2 -DTHIS=SYS_perf_event_open -DTHAT=SYS_perf_event_open */
/* build: name=clock -O2 -DTHIS=SYS_perf_event_open -DTHAT=SYS_timer_create */
/* build: name=ptrace -O2 -DTHIS=SYS_perf_event_open -DTHAT=SYS_ptrace */
/* build: name=timer -O2 -DTHIS=SYS_timer_create -DTHAT=SYS_timer_create */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THAT, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

    if (argc < 2)
        return 2;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
        perror("no_perf");
        return 77;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}
