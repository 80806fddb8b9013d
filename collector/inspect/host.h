/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about this machine, cheap enough to be gathered at each start. Normal context.
 */
#ifndef ERTOOLS_INSPECT_HOST_H
#define ERTOOLS_INSPECT_HOST_H

#include "share/types.h"

struct host {
    char name[256];
    char os[128];     /* as /etc/os-release calls it */
    char kernel[256]; /* release and version */
    char arch[66];
    char boot[96]; /* boot id and time namespace: hosts with equal ones share a clock */
    char cpu[64];        /* model name */
    char hypervisor[16]; /* what the hypervisor calls itself in CPUID, or "" */
    char container[32];  /* kind of container, or "" */
    u32 cpus;            /* number of CPUs that this process may use */
    u32 page_size;
    u32 hz;       /* of the kernel's tick, not USER_HZ; 0 = unknown */
    u64 memory;   /* bytes of physical memory */
    int tsc;      /* 1 = the kernel's clock source is the time stamp counter */
    int paranoid; /* perf_event_paranoid; HOST_NO_PERF without perf events */
};

enum {
    HOST_NO_PERF = 100,
};

void host_read(struct host *h);

/* Read one line of a small file, without its newline; "" when it cannot be read. */
void host_line(const char *path, char *line, size_t size);

#endif
