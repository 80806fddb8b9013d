/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource use of another process, read from outside: from its CPU clock, /proc and,
 * when it is a zombie, from waitid(2). Normal context of the launcher. Values that the
 * kernel does not report exactly stay unknown: use.known says which were measured.
 */
#ifndef ERTOOLS_INSPECT_ACCOUNT_H
#define ERTOOLS_INSPECT_ACCOUNT_H

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "share/record.h"

/*
 * Bits of rec_sample.known: one for each field of the record from `user` on, in their
 * order.
 */
enum account_known {
    KNOWN_user = 1 << 0,
    KNOWN_system = 1 << 1,
    KNOWN_minflt = 1 << 2,
    KNOWN_majflt = 1 << 3,
    KNOWN_nvcsw = 1 << 4,
    KNOWN_nivcsw = 1 << 5,
    KNOWN_inblock = 1 << 6,
    KNOWN_oublock = 1 << 7,
    KNOWN_rss = 1 << 8,
    KNOWN_maxrss = 1 << 9,
    KNOWN_threads = 1 << 10,
    KNOWN_handlers = 1 << 11,
};

/*
 * What was measured of a process. All zero before the first call; user and system never
 * decrease from call to call.
 */
struct process_use {
    struct rec_sample use; /* its time, mono, cause and label are not set here */
    u64 total;             /* CPU ns of the process itself, exact */
    u64 user, system;      /* parts of total; set by account_close() alone */
    u64 descendants; /* CPU ns of reaped descendants; set by account_close() */
};

/*
 * Measure the process pid, which runs or is a zombie. born: how many threads it ever
 * had, 0 = unknown (the context switches of dead threads are not in /proc).
 */
void account_read(struct process_use *a, pid_t pid, u32 born);

/*
 * Measure a zombie, for the last time. rusage is from waitid(2), which includes the
 * children that the process waited for: their part is subtracted, or makes the field
 * unknown.
 */
void account_close(struct process_use *a, pid_t pid, const struct rusage *rusage);

/*
 * Read /proc/PID/what: at most size - 1 bytes, terminated. Returns the number of bytes;
 * 0 if it cannot be read.
 */
size_t account_read_text(pid_t pid, const char *what, char *text, size_t size);

/*
 * Read a process's command line into text, and point args, which has room for most + 1
 * words, to its words; NULL ends them. Of a process that has put a title in their
 * place, as servers do, the title is the only word. Returns the number of words, 0 also
 * when there are none yet.
 */
size_t account_read_args(pid_t pid, char *text, size_t size, char **args, size_t most);

/* What account_read_args() does with the `len` bytes that it has read. */
size_t account_split_args(char *text, size_t len, char **args, size_t most);

/* Fields of /proc/PID/stat that are numbers, as counted in proc_pid_stat(5). */
enum account_field {
    STAT_PARENT = 4,
    STAT_SESSION = 6,
    STAT_FLAGS = 9,
    STAT_START = 22, /* 1/USER_HZ s since boot; identifies a process with its pid */
    STAT_PENDING = 31, /* mask of the first thread's pending signals 1 to 31 */
    STAT_EXIT_CODE = 52, /* of a zombie, as of waitpid(2) */
};

/* Read one of these fields. 0 if there is no such process any more. */
u64 account_stat_field(pid_t pid, enum account_field wanted);

/* The fields of /proc/PID/stat that are used here; times in ns. */
struct account_stat {
    u64 minflt, cminflt, majflt, cmajflt;
    u64 utime, stime, cutime, cstime; /* rounded down to 1/USER_HZ */
    u64 threads;
    u64 rss; /* pages */
};

/* Parse the text of /proc/PID/stat. Returns 0 or -EINVAL. tick: ns of 1/USER_HZ. */
int account_parse_stat(const char *text, u64 tick, struct account_stat *stat);

/*
 * User time between bounds: total = user + system is exact; user and system are each
 * known to less than tick: [utime, utime + tick), [stime, stime + tick).
 */
u64 account_split(u64 total, u64 utime, u64 stime, u64 tick);

/*
 * Find out how a process that is not a child of ours has ended. 1 with *ended's si_code
 * and si_status set as by waitid(2); 0 = not known. From Linux 6.15 on the pidfd tells
 * this; older kernels tell it only until the parent has reaped the process.
 */
int account_ended(int pidfd, pid_t pid, siginfo_t *ended);

#endif
