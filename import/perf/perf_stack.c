/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unwinds copies of stacks (perf record --call-graph dwarf) with the collector's
 * unwinder, like those of processes that are sampled from outside. The unwinder needs
 * the process's files mapped at their addresses. So it maps the files of one process at
 * a time, and those of another process when a sample of that process comes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "collector/sig/node.h"
#include "collector/sig/walk.h"
#include "import/perf/perf.h"
#include "share/ctl.h"

enum {
    STACK_BYTES = 65536, /* no record is larger */
    STACK_LEAST = 65536, /* no stack is below that address */
    MAPPINGS = 8192,     /* mappings of one process that are given to the unwinder */
    SEGMENTS = 16,       /* of ER_SEGMENT bytes for nodes; if full, all are discarded */
    ABI_64 = 2,
};

/* Bits in the mask of registers; samples have the registers in this order. */
enum perf_register {
    PERF_SP = 7,
    PERF_IP = 8,
    PERF_R8 = 16,
    PERF_REGISTERS = 24,
};

struct perf_stacks {
    struct mirror mirror;
    bool is_open; /* the mirror is open */
    void *frames; /* memory for the walk */
    struct walk *walk;
    u32 process;    /* whose files the mirror has, 0 = none */
    u32 mappings;   /* how many the process has; the mirror has MAPPINGS at most */
    u64 nodes;      /* bytes used for nodes */
    unsigned char *memory; /* SEGMENTS for nodes */
    u64 refused;    /* stacks that could not be unwound */
};

static bool
has_stacks(const struct perf *p)
{
    const u64 both = SAMPLE_REGS_USER | SAMPLE_STACK_USER;

    for (u32 i = 0; i < p->nevents; i++)
        if ((p->event[i].sample_type & both) == both)
            return true;
    return false;
}

/* Empties the store of nodes. */
static void
start_nodes(struct perf_stacks *st)
{
    (void)madvise(st->memory, (size_t)SEGMENTS * ER_SEGMENT, MADV_DONTNEED);
    st->nodes = 0;
    node_start(&st->nodes);
    for (u32 i = 0; i < SEGMENTS; i++)
        (void)node_attach(i, st->memory + (size_t)i * ER_SEGMENT);
}

static void *
reserve(u64 bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static void
release(void *memory, u64 bytes)
{
    if (memory)
        munmap(memory, bytes);
}

static int
prepare(struct perf_stacks *st)
{
    int ret;

    st->frames = reserve(walk_bytes(WALK_FRAMES));
    st->memory = reserve((u64)SEGMENTS * ER_SEGMENT);
    if (!st->frames || !st->memory)
        return -ENOMEM;
    st->walk = walk_init(st->frames, WALK_FRAMES, 0, 0);
    ret = mirror_open(&st->mirror, -1, STACK_BYTES);
    st->is_open = true;
    start_nodes(st);
    return ret;
}

int
perf_stacks_open(struct perf *p)
{
    if (!has_stacks(p))
        return 0;
    if (p->big || (*p->im->arch && strcmp(p->im->arch, "x86_64") != 0)) {
        import_add_note(p->im, "copies of the stack are of another kind of processor, "
                               "so they are not unwound: user stacks have one frame");
        return 0;
    }
    p->stacks = calloc(1, sizeof(*p->stacks));
    return p->stacks ? prepare(p->stacks) : -ENOMEM;
}

void
perf_stacks_close(struct perf *p)
{
    struct perf_stacks *st = p->stacks;

    if (!st)
        return;
    if (st->refused)
        import_add_note(p->im,
                        "%" PRIu64 " copies of stacks could not be unwound: they "
                        "are of 32-bit programs, or where er_import has its own memory",
                        st->refused);
    if (st->is_open)
        mirror_close(&st->mirror);
    if (st->nodes)
        node_stop();
    release(st->frames, walk_bytes(WALK_FRAMES));
    release(st->memory, (u64)SEGMENTS * ER_SEGMENT);
    free(st);
    p->stacks = NULL;
}

bool
perf_stacks_has(const struct perf *p, u32 process)
{
    return p->stacks && p->stacks->process == process;
}

void
perf_stacks_map(struct perf *p, const struct mirror_mapping *mapping, int fd, u64 bias)
{
    if (p->stacks->mappings++ < MAPPINGS)
        mirror_add_file(&p->stacks->mirror, mapping, fd, bias);
}

static void
switch_to(struct perf *p, u32 pid, u32 process)
{
    struct perf_stacks *st = p->stacks;

    if (st->process == process)
        return;
    mirror_clear(&st->mirror, 0);
    st->process = process;
    st->mappings = 0;
    perf_tasks_map_all(p, pid);
}

static void
fill_context(ucontext_t *uc, const struct perf_dump *dump)
{
    static const unsigned char index[PERF_REGISTERS] = {
        REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_RIP,
        [PERF_R8] = REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
        REG_R15,
    };
    struct cursor c = dump->regs;

    memset(uc, 0, sizeof(*uc));
    for (u32 i = 0; i < 64; i++) {
        u64 value;

        if (!(dump->mask >> i & 1))
            continue;
        value = cursor_u64(&c);
        if (i <= PERF_IP || (i >= PERF_R8 && i < PERF_REGISTERS))
            uc->uc_mcontext.gregs[index[i]] = (greg_t)value;
    }
}

/* Replaces the user frames of a chain by the frames that were unwound. */
static void
replace_frames(u32 node, struct perf_chain *out)
{
    const struct node *n;

    while (out->count && !out->kernel[out->count - 1])
        out->count--;
    out->cut = false;
    for (; node && (n = node_at(node)); node = n->parent) {
        u64 pc = n->pc_flags & NODE_PC_MASK, flags = n->pc_flags >> 48;

        out->cut |= (flags & NODE_TRUNCATED) != 0;
        if (!pc)
            continue;
        if (out->count == PERF_CHAIN) {
            out->cut = true;
            break;
        }
        out->kernel[out->count] = false;
        out->exact[out->count] = (flags & NODE_EXACT) != 0;
        out->pc[out->count++] = pc;
    }
}

static u32
walk(struct perf_stacks *st, ucontext_t *uc, const struct perf_dump *dump)
{
    u64 sp = (u64)uc->uc_mcontext.gregs[REG_RSP];
    u32 node;

    if (mirror_show(&st->mirror, sp, dump->stack, dump->stack_bytes) < 0)
        return 0;
    walk_set_bounds(st->walk, sp, sp + dump->stack_bytes);
    node = sig_walk(st->walk, uc);
    if (!node) {
        start_nodes(st);
        node = sig_walk(st->walk, uc);
    }
    mirror_hide(&st->mirror);
    return node;
}

void
perf_stacks_unwind(struct perf *p, const struct perf_sample *s, u32 process,
                   struct perf_chain *out)
{
    const u64 needed = 1 << PERF_SP | 1 << PERF_IP;
    struct perf_stacks *st = p->stacks;
    ucontext_t uc;
    u32 node = 0;

    /* Samples of kernel threads have no user registers. */
    if (!st || !s->dump.abi || !s->dump.stack_bytes)
        return;
    switch_to(p, s->pid, process);
    fill_context(&uc, &s->dump);
    if (s->dump.abi == ABI_64 && (s->dump.mask & needed) == needed &&
        (u64)uc.uc_mcontext.gregs[REG_RSP] >= STACK_LEAST && !st->mirror.apart)
        node = walk(st, &uc, &s->dump);
    if (node) {
        replace_frames(node, out);
    } else {
        st->refused++;
        out->cut = true;
    }
}
