/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/host.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "share/readfile.h"

void
host_line(const char *path, char *line, size_t size)
{
    readfile_head(path, line, size);
    line[strcspn(line, "\n")] = '\0';
}

static void
copy(char *to, size_t size, const char *from, size_t len)
{
    if (len >= size)
        len = size - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

static void
read_os(struct host *h)
{
    static const char key[] = "PRETTY_NAME=";
    char text[2048];
    const char *at;

    readfile_head("/etc/os-release", text, sizeof(text));
    at = strstr(text, key);
    if (!at)
        return;
    at += sizeof(key) - 1;
    at += *at == '"';
    copy(h->os, sizeof(h->os), at, strcspn(at, "\"\n"));
}

#ifdef __x86_64__
/*
 * Read facts about the processor from CPUID leaves 1, 0x40000000, 0x80000002 to 4 and
 * 0x80000007 (Intel SDM, AMD APM).
 */
static void
read_cpu(struct host *h)
{
    u32 a, b, c, d, brand[12];
    char *from = (char *)brand;

    h->tsc = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
    if (__get_cpuid(1, &a, &b, &c, &d) && (c >> 31 & 1)) {
        u32 name[3];

        __cpuid(0x40000000, a, name[0], name[1], name[2]);
        copy(h->hypervisor, sizeof(h->hypervisor), (char *)name,
             strnlen((char *)name, sizeof(name)));
    }
    if (!__get_cpuid(0x80000000, &a, &b, &c, &d) || a < 0x80000004)
        return;
    for (u32 i = 0; i < 3; i++)
        __get_cpuid(0x80000002 + i, brand + 4 * i, brand + 4 * i + 1, brand + 4 * i + 2,
                    brand + 4 * i + 3);
    from[sizeof(brand) - 1] = '\0';
    from += strspn(from, " ");
    copy(h->cpu, sizeof(h->cpu), from, strlen(from));
}
#else
static void
read_cpu(struct host *h)
{
    (void)h;
}
#endif

static void
read_container(struct host *h)
{
    const char *kind = getenv("container");

    if (!kind && access("/.dockerenv", F_OK) == 0)
        kind = "docker";
    if (!kind && access("/run/.containerenv", F_OK) == 0)
        kind = "podman";
    if (kind)
        copy(h->container, sizeof(h->container), kind, strlen(kind));
}

static void
read_kernel(struct host *h)
{
    struct utsname u;
    size_t len;

    if (uname(&u) < 0)
        return;
    copy(h->name, sizeof(h->name), u.nodename, strlen(u.nodename));
    copy(h->arch, sizeof(h->arch), u.machine, strlen(u.machine));
    copy(h->kernel, sizeof(h->kernel), u.release, strlen(u.release));
    len = strlen(h->kernel);
    copy(h->kernel + len, sizeof(h->kernel) - len, " ", 1);
    len = strlen(h->kernel);
    copy(h->kernel + len, sizeof(h->kernel) - len, u.version, strlen(u.version));
}

/* The kernel's tick in Hz, since the coarse clocks move at the tick; 0 = unknown. */
static u32
tick_rate(void)
{
    struct timespec ts = { 0, 0 };

    if (clock_getres(CLOCK_MONOTONIC_COARSE, &ts) < 0 || ts.tv_sec || !ts.tv_nsec)
        return 0;
    return (u32)((1000000000 + ts.tv_nsec / 2) / ts.tv_nsec);
}

/*
 * Set h->boot: the kernel's id of this boot, and our time namespace, which may shift
 * clocks.
 */
static void
read_boot(struct host *h)
{
    char space[48];
    ssize_t len = readlink("/proc/self/ns/time", space, sizeof(space));
    size_t at;

    host_line("/proc/sys/kernel/random/boot_id", h->boot, 40);
    at = strlen(h->boot);
    if (len > 0)
        copy(h->boot + at, sizeof(h->boot) - at, space, (size_t)len);
}

void
host_read(struct host *h)
{
    char line[64];
    cpu_set_t set;

    memset(h, 0, sizeof(*h));
    read_kernel(h);
    read_os(h);
    read_cpu(h);
    read_container(h);
    read_boot(h);
    /* It fails where there are more processors than a cpu_set_t has bits. */
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        h->cpus = (u32)CPU_COUNT(&set);
    else
        h->cpus = (u32)sysconf(_SC_NPROCESSORS_ONLN);
    h->page_size = (u32)sysconf(_SC_PAGESIZE);
    h->hz = tick_rate();
    h->memory = (u64)sysconf(_SC_PHYS_PAGES) * h->page_size;
    host_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", line,
              sizeof(line));
    h->tsc = h->tsc && !strcmp(line, "tsc");
    host_line("/proc/sys/kernel/perf_event_paranoid", line, sizeof(line));
    h->paranoid = *line ? atoi(line) : HOST_NO_PERF;
}
