/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc says of a running process. Normal context of the launcher. */
#ifndef ERTOOLS_COLLECTOR_ATTACH_PROC_H
#define ERTOOLS_COLLECTOR_ATTACH_PROC_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

#include "share/types.h"

struct proc_map {
    u64 lo, hi, offset, inode;
    u32 major, minor;
    int readable, writable, executable;
    char path[PATH_MAX];
};

/* Call each for every mapping; it returns 0 to go on. Returns -errno or the last. */
int proc_maps(pid_t pid, int (*each)(const struct proc_map *map, void *arg), void *arg);

/* The mapping that holds an address; 0, or -ENOENT. */
int proc_map_of(pid_t pid, u64 address, struct proc_map *map);

/* Thread ids of a process, malloc'd; their number, or -errno. */
int proc_threads(pid_t pid, pid_t **tids);

/*
 * A line of /proc/PID/task/TID/status as a number, to a base; none if there is no such
 * line. name: with its colon.
 */
u64 proc_status(pid_t pid, pid_t tid, const char *name, int base, u64 none);

/* Its state's letter, as in `State:`; 0 when it is gone. */
char proc_state(pid_t pid, pid_t tid);

/* The number of the system call that it waits in; -1: in none, or nobody may know. */
long proc_syscall(pid_t pid, pid_t tid);

/* The id that it has in its own namespace of process ids. */
pid_t proc_inner_id(pid_t pid, pid_t tid);

/* 1: the process is in our namespace of process ids. */
int proc_has_our_ids(pid_t pid);

/* 1: the process is in our namespace of mounts. */
int proc_has_our_mounts(pid_t pid);

/* Its name, as ps shows it; "" when it is gone. */
void proc_name(pid_t pid, char name[64]);

/* Copy memory; 0 or -errno. */
int proc_read(pid_t pid, u64 from, void *to, size_t bytes);
int proc_write(pid_t pid, u64 to, const void *from, size_t bytes);

/* Copy as much as there is from there on, at most bytes. How much, or -errno. */
long proc_read_some(pid_t pid, u64 from, void *to, size_t bytes);

#endif
