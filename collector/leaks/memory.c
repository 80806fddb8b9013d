/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/leaks/memory.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* A larger area is a sanitizer's shadow memory, which contains no pointers. */
#define AREA_MAX ((u64)1 << 40)

#define PAGE_PRESENT ((u64)1 << 63)
#define PAGE_SWAPPED ((u64)1 << 62)

/* A line of /proc/PID/maps. */
struct line {
    u64 lo, hi, offset;
    char rights[8];
    char *path; /* "" = anonymous */
};

static int
parse(char *text, struct line *line)
{
    unsigned long lo, hi, offset;
    int at = 0;

    text[strcspn(text, "\n")] = '\0';
    if (sscanf(text, "%lx-%lx %7s %lx %*s %*u %n", &lo, &hi, line->rights, &offset,
               &at) < 4)
        return -EINVAL;
    line->offset = offset;
    line->lo = lo;
    line->hi = hi;
    line->path = text + at;
    return 0;
}

static int
is_skipped(const char *path, const char *const *skip)
{
    if (!strcmp(path, "[vvar]") || !strcmp(path, "[vsyscall]"))
        return 1;
    /*
     * Leave out a device's memory: it is not the program's, and reading it may have
     * side effects.
     */
    if (!strncmp(path, "/dev/", 5) && strncmp(path, "/dev/zero", 9) &&
        strncmp(path, "/dev/shm/", 9))
        return 1;
    for (; *skip; skip++)
        if (!strncmp(path, *skip, strlen(*skip)))
            return 1;
    return 0;
}

int
memory_peek(const struct memory *m, u64 addr, void *to, u64 bytes)
{
    struct iovec here = { to, bytes };
    struct iovec there = { (void *)(uintptr_t)addr, bytes };
    ssize_t done = process_vm_readv(m->pid, &here, 1, &there, 1, 0);

    if (done < 0)
        return -errno;
    return (u64)done == bytes ? 0 : -EFAULT;
}

/*
 * The end of the memory of the library that is loaded at base; 0 = it is not an ELF
 * file.
 */
static u64
end_of_library(const struct memory *m, u64 base)
{
    Elf64_Ehdr head;
    Elf64_Phdr part;
    u64 end = 0;

    if (memory_peek(m, base, &head, sizeof(head)) < 0 ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return 0;
    for (u32 i = 0; i < head.e_phnum; i++)
        if (memory_peek(m, base + head.e_phoff + i * sizeof(part), &part,
                        sizeof(part)) == 0 &&
            part.p_type == PT_LOAD && part.p_vaddr + part.p_memsz > end)
            end = part.p_vaddr + part.p_memsz;
    return base + (end + MEMORY_PAGE - 1) / MEMORY_PAGE * MEMORY_PAGE;
}

static int
is_libc(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && (!strncmp(slash, "/libc.so", 8) || !strncmp(slash, "/libc-2.", 8));
}

static int
add_area(struct memory *m, const struct line *line, int guarded)
{
    if (m->areas == m->area_room) {
        u32 room = m->area_room ? 2 * m->area_room : 64;
        struct memory_area *grown = reallocarray(m->area, room, sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        m->area = grown;
        m->area_room = room;
    }
    m->area[m->areas++] = (struct memory_area){
        .lo = line->lo,
        .hi = line->hi,
        .anonymous = !*line->path || *line->path == '[',
        .main_stack = !strcmp(line->path, "[stack]"),
        .guarded = guarded,
        .libc = is_libc(line->path),
    };
    return 0;
}

static int
read_maps(struct memory *m, const char *const *skip)
{
    struct line line;
    char name[64], *text = NULL;
    size_t size = 0;
    u64 guard = 0;   /* the end of the last mapping without access */
    u64 skipped = 0; /* the end of the last library left out, with its variables */
    FILE *f;
    int ret = 0;

    snprintf(name, sizeof(name), "/proc/%d/maps", (int)m->pid);
    f = fopen(name, "re");
    if (!f)
        return -errno;
    while (ret == 0 && getline(&text, &size, f) > 0) {
        if (parse(text, &line) < 0)
            continue;
        if (!strncmp(line.rights, "---", 3))
            guard = line.hi;
        if (is_skipped(line.path, skip)) {
            if (!line.offset)
                skipped = end_of_library(m, line.lo);
            continue;
        }
        if (line.lo < skipped)
            line.lo = skipped;
        if (!strncmp(line.rights, "rw", 2) && line.lo < line.hi &&
            line.hi - line.lo <= AREA_MAX)
            ret = add_area(m, &line, guard == line.lo);
    }
    free(text);
    fclose(f);
    return ret == 0 && !m->areas ? -ESRCH : ret;
}

int
memory_open(struct memory *m, pid_t pid, const char *const *skip)
{
    char name[64];
    int ret;

    memset(m, 0, sizeof(*m));
    m->pid = pid;
    snprintf(name, sizeof(name), "/proc/%d/pagemap", (int)pid);
    m->pages = open(name, O_RDONLY | O_CLOEXEC);
    m->window = malloc(MEMORY_WINDOW);
    ret = m->window ? read_maps(m, skip) : -ENOMEM;
    if (ret < 0)
        memory_close(m);
    return ret;
}

void
memory_close(struct memory *m)
{
    if (m->pages >= 0)
        close(m->pages);
    free(m->area);
    free(m->window);
    m->pages = -1;
    m->area = NULL;
    m->window = NULL;
    m->areas = m->area_room = 0;
}

static int
is_late(const struct memory *m)
{
    struct timespec now;

    if (!m->until)
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec > m->until;
}

/* Read the pagemap entries of [lo, hi); without them, assume all pages present. */
static void
read_pages(struct memory *m, u64 lo, u64 hi)
{
    u64 first = lo / MEMORY_PAGE, n = (hi - 1) / MEMORY_PAGE - first + 1;
    ssize_t want = (ssize_t)(n * sizeof(u64));

    if (m->pages >= 0 &&
        pread(m->pages, m->map, (size_t)want, (off_t)(first * sizeof(u64))) == want)
        return;
    for (u64 i = 0; i < n; i++)
        m->map[i] = PAGE_PRESENT;
}

static int
is_there(u64 entry)
{
    return (entry & (PAGE_PRESENT | PAGE_SWAPPED)) != 0;
}

/*
 * Pass a run of present pages to the caller's function; skip the run if it cannot be
 * read after all.
 */
static int
read_run(struct memory *m, u64 lo, u64 hi, memory_piece *piece, void *context)
{
    struct iovec here = { m->window, hi - lo };
    struct iovec there = { (void *)(uintptr_t)lo, hi - lo };
    ssize_t done = process_vm_readv(m->pid, &here, 1, &there, 1, 0);

    if (done < 0)
        return errno == EFAULT ? 0 : -errno;
    return piece(context, lo, (const u64 *)(const void *)m->window,
                 (u64)done / sizeof(u64));
}

int
memory_read(struct memory *m, u64 lo, u64 hi, memory_piece *piece, void *context)
{
    u64 first = lo / MEMORY_PAGE, run = lo;
    int ret = is_late(m) ? -ETIME : 0;

    if (lo >= hi)
        return ret;
    read_pages(m, lo, hi);
    for (u64 at = lo; at < hi && ret == 0;) {
        u64 next = (at / MEMORY_PAGE + 1) * MEMORY_PAGE;
        int there = is_there(m->map[at / MEMORY_PAGE - first]);

        next = next < hi ? next : hi;
        if (!there)
            run = next;
        else if (next == hi || !is_there(m->map[next / MEMORY_PAGE - first]))
            ret = read_run(m, run, next, piece, context);
        at = next;
    }
    return ret;
}

int
memory_read_all(struct memory *m, u64 lo, u64 hi, memory_piece *piece, void *context)
{
    int ret = 0;

    for (u64 at = lo; at < hi && ret == 0;) {
        u64 next = (at / MEMORY_WINDOW + 1) * MEMORY_WINDOW;

        next = next < hi ? next : hi;
        ret = memory_read(m, at, next, piece, context);
        at = next;
    }
    return ret;
}

const struct memory_area *
memory_area_of(const struct memory *m, u64 addr)
{
    u32 lo = 0, hi = m->areas;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (m->area[mid].hi <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < m->areas && m->area[lo].lo <= addr ? &m->area[lo] : NULL;
}
