/* SPDX-License-Identifier: Apache-2.0 */
/* Reads facts about a running process from /proc. Normal context of the launcher. */
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

/*
 * Call each() for every mapping, until it returns a value other than 0. Returns that
 * value, 0, or -errno.
 */
int proc_maps(pid_t pid, int (*each)(const struct proc_map *map, void *arg), void *arg);

/* Find the mapping that contains an address; 0, or -ENOENT. */
int proc_map_of(pid_t pid, u64 address, struct proc_map *map);

/* Thread ids of a process, malloc'd; their number, or -errno. */
int proc_threads(pid_t pid, pid_t **tids);

/*
 * The number in a line of /proc/PID/task/TID/status, in this base; returns `none` if
 * there is no such line. name: with its colon.
 */
u64 proc_status(pid_t pid, pid_t tid, const char *name, int base, u64 none);

/* The thread's state letter, as in `State:`; 0 if the thread has ended. */
char proc_state(pid_t pid, pid_t tid);

/* The number of the system call in which it waits; -1: none, or it may not be read. */
long proc_syscall(pid_t pid, pid_t tid);

/* The thread's id in its own PID namespace; tid if that is not known. */
pid_t proc_inner_id(pid_t pid, pid_t tid);

/* 1: the process is in our PID namespace, or that is not known. */
int proc_has_our_ids(pid_t pid);

/* 1: the process is in our mount namespace, or that is not known. */
int proc_has_our_mounts(pid_t pid);

/* The process's name, as ps shows it; "" if the process has ended. */
void proc_name(pid_t pid, char name[64]);

/* Copy memory; 0 or -errno. */
int proc_read(pid_t pid, u64 from, void *to, size_t bytes);
int proc_write(pid_t pid, u64 to, const void *from, size_t bytes);

/* Copy memory up to the first unmapped page, at most `bytes`. How much, or -errno. */
long proc_read_some(pid_t pid, u64 from, void *to, size_t bytes);

#endif
