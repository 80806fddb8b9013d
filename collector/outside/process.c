/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/outside/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "collector/inspect/account.h"
#include "collector/outside/perf_mapping.h"
#include "collector/session/session.h"
#include "collector/sig/clock.h"
#include "collector/sig/guess.h"
#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/space.h"
#include "collector/sig/walk.h"
#include "share/logxml.h"

enum {
    RATE_NS = 100000000, /* after so long, the rate is measured from the clocks */
    STAT_STACK = 28,     /* of /proc/PID/stat: where the process's stack began */
};

/* Map a window of each data file that the helper writes. */
static int
map_files(const struct recording *s)
{
    static const enum er_file files[] = { FILE_profile, FILE_frameinfo, FILE_threads };

    space_ctl = s->experiment.ctl;
    space_wake_page = s->outside.bell ? s->outside.bell : space_ctl;
    for (size_t i = 0; i < ER_COUNT(files); i++) {
        void *base = mmap(NULL, (size_t)SPACE_WINDOW * ER_SEGMENT,
                          PROT_READ | PROT_WRITE, MAP_SHARED,
                          s->experiment.file[files[i]], 0);

        if (base == MAP_FAILED)
            return -errno;
        space_start(files[i], base);
    }
    space_start_nodes();
    return 0;
}

int
process_open(struct process *p, struct recording *s, u64 stack)
{
    u64 bytes = walk_bytes(WALK_FRAMES);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int ret;

    if (memory == MAP_FAILED)
        return -ENOMEM;
    p->s = s;
    p->walk = walk_init(memory, WALK_FRAMES, 0, 0);
    clock_start(s->params.tsc, NULL);
    ret = map_files(s);
    if (ret == 0)
        ret = mirror_open(&p->mirror, s->experiment.map, stack);
    p->kernel.map = s->experiment.map;
    p->kernel.log = s->experiment.log;
    return ret;
}

static u64
ticks_of(int64_t ns, double rate)
{
    return (u64)(int64_t)((double)ns * rate);
}

u64
process_tick(struct process *p, u64 mono)
{
    const struct moment *start = &p->s->start;
    double rate = (double)p->s->params.tsc / 1e9;
    u64 passed = p->now.mono - start->mono, tick = mono;

    if (p->s->host.tsc) {
        if (passed > RATE_NS)
            rate = (double)(p->now.tick - start->tick) / (double)passed;
        tick = p->now.tick - ticks_of((int64_t)(p->now.mono - mono), rate);
    }
    if (tick < p->tick)
        tick = p->tick;
    p->tick = tick;
    return tick;
}

static void
fill_context(ucontext_t *uc, const struct ring_sample *sample)
{
    static const unsigned char index[RING_REGS] = {
        REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
        REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
    };

    memset(uc, 0, sizeof(*uc));
    for (int i = 0; i < RING_REGS; i++)
        uc->uc_mcontext.gregs[index[i]] = (greg_t)sample->regs[i];
}

/*
 * Set the registers such that a walk ends at the leaf, since the stack cannot be
 * mapped.
 */
static void
leaf_only(ucontext_t *uc)
{
    greg_t pc = uc->uc_mcontext.gregs[REG_RIP];

    memset(uc, 0, sizeof(*uc));
    uc->uc_mcontext.gregs[REG_RIP] = pc;
    uc->uc_mcontext.gregs[REG_RSP] = uc->uc_mcontext.gregs[REG_RBP] = 16;
}

/*
 * If the copy contains the place where the process's stack began, tell the unwinder
 * that no frames are above it. Else there may be any number of frames in the part that
 * was not copied.
 */
static void
set_entry(struct process *p, const struct ring_sample *sample, u64 sp)
{
    if (!p->entry)
        p->entry = account_stat_field(p->s->pid, (enum account_field)STAT_STACK);
    guess_entry = p->entry >= sp && p->entry - sp < sample->stack_bytes ? p->entry : 0;
}

int
process_is_replaced(const struct ring_sample *sample)
{
    ucontext_t uc;

    if (!sample->in_kernel || sample->stack_bytes)
        return 0;
    fill_context(&uc, sample);
    return objtab_code((u64)uc.uc_mcontext.gregs[REG_RIP]) == CODE_NONE;
}

u32
process_walk(struct process *p, const struct ring_sample *sample)
{
    ucontext_t uc;
    u64 sp;
    u32 node;

    if (sample->abi == PERF_SAMPLE_REGS_ABI_NONE)
        return kernel_frames_add(&p->kernel, 0, sample->kernel, sample->kernel_count);
    fill_context(&uc, sample);
    sp = (u64)uc.uc_mcontext.gregs[REG_RSP];
    set_entry(p, sample, sp);
    p->apart |= p->mirror.apart;
    if (sample->abi == PERF_SAMPLE_REGS_ABI_64 && !p->mirror.apart)
        p->apart |= mirror_show(&p->mirror, sp, sample->stack, sample->stack_bytes) ==
                    -EBUSY;
    if (!p->mirror.shown)
        leaf_only(&uc);
    if (p->mirror.shown)
        walk_set_bounds(p->walk, sp, sp + sample->stack_bytes);
    else
        walk_set_bounds(p->walk, 0, 0);
    node = sig_walk_own(p->walk, sig_walk(p->walk, &uc), &uc);
    mirror_hide(&p->mirror);
    node = golang_mend(&p->mirror.go, node, (struct golang_chain){
                                                sample->chain, sample->chain_count });
    return kernel_frames_add(&p->kernel, node, sample->kernel, sample->kernel_count);
}

const char *
process_text(const unsigned char *record, size_t from, size_t size)
{
    const char *text = (const char *)record + from;

    return size >= from + PROCESS_ID_BYTES + 1 &&
                   memchr(text, '\0', size - from - PROCESS_ID_BYTES)
               ? text : NULL;
}

void
process_close(struct process *p, u64 lost)
{
    char text[32];

    kernel_frames_close(&p->kernel);
    if (!lost)
        return;
    snprintf(text, sizeof(text), "%llu", (unsigned long long)lost);
    (void)log_event(p->s->experiment.log, EVENT_outside_lost, p->now.mono, text, NULL,
                    NULL, 0);
}

void
process_each_mapping(pid_t pid, u64 mono,
                     void (*take)(void *arg, const struct mirror_mapping *mapping),
                     void *arg)
{
    char path[64], *line = NULL, prot[8];
    unsigned long long lo, hi, offset, inode;
    unsigned major, minor;
    size_t room = 0;
    FILE *maps;
    int at;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (maps && getline(&line, &room, maps) > 0) {
        line[strcspn(line, "\n")] = '\0';
        at = 0;
        if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &lo, &hi, prot, &offset,
                   &major, &minor, &inode, &at) < 7 || !at || !strchr(prot, 'x') ||
            !strcmp(line + at, "[vsyscall]"))
            continue;
        take(arg, &(struct mirror_mapping){
                      .lo = lo,
                      .hi = hi,
                      .offset = offset,
                      .major = major,
                      .minor = minor,
                      .inode = inode,
                      .mono = mono,
                      .name = line[at] ? line + at : "//anon",
                  });
    }
    free(line);
    if (maps)
        fclose(maps);
}

static void
add_one(void *mirror, const struct mirror_mapping *mapping)
{
    mirror_add(mirror, mapping);
}

void
process_add_present(struct process *p)
{
    process_each_mapping(p->s->pid, p->s->start.mono, add_one, &p->mirror);
}

int
process_read_mapping(const unsigned char *record, u64 mono, u32 *pid,
                     struct mirror_mapping *mapping)
{
    struct perf_mapping map;
    const char *name;

    memcpy(&map, record, sizeof(map));
    name = process_text(record, sizeof(map), map.header.size);
    if (map.header.size < sizeof(map) || !name || !(map.prot & PROT_EXEC) ||
        !strcmp(name, "[vsyscall]"))
        return 0;
    *pid = map.pid;
    *mapping = (struct mirror_mapping){ .lo = map.addr,
                                        .hi = map.addr + map.len,
                                        .offset = map.offset,
                                        .major = map.major,
                                        .minor = map.minor,
                                        .inode = map.inode,
                                        .mono = mono,
                                        .name = name };
    return 1;
}

void
process_add_mapping(struct process *p, const unsigned char *record, u64 mono)
{
    struct mirror_mapping mapping;
    u32 pid;

    if (process_read_mapping(record, mono, &pid, &mapping) && pid == (u32)p->s->pid)
        mirror_add(&p->mirror, &mapping);
}
