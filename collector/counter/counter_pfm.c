/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events by their names in processors' manuals, which the library libpfm4 knows if it
 * is installed. It is loaded only when a name was found nowhere else.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "collector/counter/counter_event.h"

/* perfmon/pfmlib.h and pfmlib_perf_event.h of libpfm4, ABI 4. */
enum {
    PFM_SUCCESS = 0,
    PFM_PLM3 = 8, /* user level */
    PFM_OS_PERF_EVENT = 1,
};

struct pfm_perf_encode_arg {
    struct perf_event_attr *attr;
    char **fstr;
    size_t size;
    int idx;
    int cpu;
    int flags;
    char pad[4];
};

static struct {
    int (*initialize)(void);
    int (*encode)(const char *name, int plm, int os, void *arg);
} pfm;

static int
load(void)
{
    static int state; /* 0 = not tried yet, 1 = loaded, -1 = not available */
    void *lib;

    if (state)
        return state;
    state = -1;
    lib = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return state;
    *(void **)&pfm.initialize = dlsym(lib, "pfm_initialize");
    *(void **)&pfm.encode = dlsym(lib, "pfm_get_os_event_encoding");
    if (pfm.initialize && pfm.encode && pfm.initialize() == PFM_SUCCESS)
        state = 1;
    return state;
}

int
counter_find_pfm(const char *name, struct counter_event *event)
{
    struct perf_event_attr attr;
    struct pfm_perf_encode_arg arg = { .attr = &attr, .size = sizeof(arg) };

    if (load() < 0)
        return -ENOSYS;
    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    if (pfm.encode(name, PFM_PLM3, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS ||
        attr.exclude_user)
        return -ENOENT;
    *event = (struct counter_event){
        .type = attr.type,
        .config = attr.config,
        .config1 = attr.config1,
        .config2 = attr.config2,
        .precise = attr.precise_ip,
        .pace = PACE_OFTEN,
    };
    return 0;
}
