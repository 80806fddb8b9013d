/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/attach/proc.h"
#include "collector/sig/cfi.h"
#include "collector/sig/cfi_read.h"

enum {
    STACK_BYTES = 1 << 18, /* bytes of the stack that are read at once */
    OURS_BYTES = 1 << 14,  /* the same for OURS_FRAMES frames */
    FRAMES = 2048,
    BOTTOM_FRAMES = 2, /* frames of libc below a thread's first function, at most */
    OURS_FRAMES = 12,
};

struct remote_frame {
    struct regs regs;
    u32 exact; /* pc is the next instruction, not a return address */
    const struct remote_image *image;
};

struct walker {
    const struct images *all;
    u64 lo, hi; /* addresses of what `stack` holds */
    char *stack;
};

static int
load(const struct walker *w, u64 at, u64 *value)
{
    if (at >= w->lo && at < w->hi && w->hi - at >= 8) {
        memcpy(value, w->stack + (at - w->lo), 8);
        return 0;
    }
    return proc_read(w->all->pid, at, value, 8);
}

/*
 * Evaluate one operation of a DWARF expression: only the few that compilers and linkers
 * use in call frame information.
 */
static int
operate(const struct walker *w, struct reader *r, const struct regs *regs, u64 *stack,
        u32 *n)
{
    u32 op = read_u8(r);
    u64 a, b;

    if (op >= 0x70 && op <= 0x80) {
        u64 base = op == 0x80 ? regs->pc : regs->r[op - 0x70];

        stack[(*n)++] = base + (u64)read_sleb(r);
        return 0;
    }
    if (op >= 0x30 && op <= 0x4f) {
        stack[(*n)++] = op - 0x30;
        return 0;
    }
    if (op == 0x08 || op == 0x0a || op == 0x0c) {
        stack[(*n)++] = read_fixed(r, op == 0x08 ? 1 : op == 0x0a ? 2 : 4);
        return 0;
    }
    if (op == 0x06)
        return *n ? load(w, stack[*n - 1], &stack[*n - 1]) : -EBADMSG;
    if (op == 0x23) {
        if (!*n)
            return -EBADMSG;
        stack[*n - 1] += read_uleb(r);
        return 0;
    }
    if (*n < 2)
        return -EBADMSG;
    b = stack[--*n];
    a = stack[*n - 1];
    switch (op) {
    case 0x1a:
        a &= b;
        break;
    case 0x1c:
        a -= b;
        break;
    case 0x22:
        a += b;
        break;
    case 0x24:
        a = b < 64 ? a << b : 0;
        break;
    case 0x2a:
        a = (int64_t)a >= (int64_t)b;
        break;
    default:
        return -EBADMSG;
    }
    stack[*n - 1] = a;
    return 0;
}

static int
evaluate(const struct walker *w, struct mem *m, const struct cfi_entry *e,
         const struct regs *regs, int64_t offset, const u64 *first, u64 *value)
{
    u64 stack[16], p, end;
    struct reader r;
    u32 n = 0;
    int ret = cfi_block(m, e, offset, &p, &end);

    if (ret)
        return ret;
    if (first)
        stack[n++] = *first;
    r = reader_at(m, p, end);
    while (ret == 0 && reader_more(&r) && n < ER_COUNT(stack) - 1)
        ret = operate(w, &r, regs, stack, &n);
    if (ret || r.bad || r.p != r.end || !n)
        return -EBADMSG;
    *value = stack[n - 1];
    return 0;
}

struct place {
    struct mem mem;
    struct cfi_entry entry;
    struct cfi_row row;
};

static int
column(const struct walker *w, struct place *at, const struct regs *regs, u64 cfa,
       u32 i, u64 *value)
{
    int32_t v = at->row.value[i];
    int ret;

    switch (at->row.how[i]) {
    case HOW_SAME:
        *value = i < REGS_COUNT ? regs->r[i] : 0;
        return i < REGS_COUNT ? 0 : -EINVAL;
    case HOW_OFFSET:
        return load(w, cfa + (u64)(int64_t)v, value);
    case HOW_VAL_OFFSET:
        *value = cfa + (u64)(int64_t)v;
        return 0;
    case HOW_REGISTER:
        if (v < 0 || v >= REGS_COUNT)
            return -EINVAL;
        *value = regs->r[v];
        return 0;
    case HOW_EXPRESSION:
    case HOW_VAL_EXPRESSION:
        ret = evaluate(w, &at->mem, &at->entry, regs, v, &cfa, value);
        if (ret == 0 && at->row.how[i] == HOW_EXPRESSION)
            ret = load(w, *value, value);
        return ret;
    default:
        *value = 0;
        return 0;
    }
}

/*
 * Find the row of call frame information for a frame's pc. 0; -ENODATA: this frame is
 * the stack's root; or another -errno, also for a signal frame.
 */
static int
find_row(struct remote_frame *f, struct place *at)
{
    const struct remote_image *m = f->image;
    u64 pc = f->regs.pc - (f->exact ? 0 : 1);
    u64 here = (u64)(uintptr_t)m->local + (pc - m->lo);
    const struct objtab_object object = { .hdr = m->hdr, .hdr_size = m->hdr_size };
    int ret;

    mem_init(&at->mem, (u64)(uintptr_t)m->local, (u64)(uintptr_t)m->local + m->size);
    ret = cfi_find(&at->mem, &object, here, &at->entry);
    if (ret == 0)
        ret = cfi_run(&at->mem, &at->entry, here, &at->row);
    if (ret)
        return ret;
    if (at->row.how[REGS_RA] == HOW_UNDEFINED)
        return -ENODATA;
    return at->entry.signal_frame ? -EINVAL : 0;
}

/*
 * Step to the caller. 0; -ENODATA at the root; another -errno if the caller cannot be
 * found.
 */
static int
step(const struct walker *w, struct remote_frame *f)
{
    struct regs next = { .known = ~0u };
    struct place at;
    u64 cfa;
    int ret = f->image ? find_row(f, &at) : -ENOENT;

    if (ret)
        return ret;
    if (at.row.cfa_register == CFI_NO_REGISTER)
        ret = evaluate(w, &at.mem, &at.entry, &f->regs, at.row.cfa_offset, NULL, &cfa);
    else
        cfa = f->regs.r[at.row.cfa_register] + (u64)at.row.cfa_offset;
    for (u32 i = 0; i < REGS_COUNT && ret == 0; i++)
        ret = column(w, &at, &f->regs, cfa, i, &next.r[i]);
    if (ret == 0 && at.row.how[REGS_SP] == HOW_SAME)
        next.r[REGS_SP] = cfa;
    if (ret == 0)
        ret = column(w, &at, &f->regs, cfa, REGS_RA, &next.pc);
    if (ret)
        return ret;
    if (next.r[REGS_SP] <= f->regs.r[REGS_SP] && !f->exact)
        return -EBADMSG;
    f->regs = next;
    f->exact = 0;
    f->image = images_at(w->all, next.pc - 1);
    return 0;
}

static struct remote_frame
first_frame(const struct images *all, const struct tracee *t)
{
    const struct user_regs_struct *r = &t->regs;
    struct remote_frame f = {
        .regs = { .r = { r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
                         r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15 },
                  .pc = r->rip,
                  .known = ~0u },
        .exact = 1,
    };

    f.image = images_at(all, r->rip);
    return f;
}

static void
read_stack(struct walker *w, u64 sp, size_t bytes)
{
    long got;

    w->lo = w->hi = sp & ~15ull;
    w->stack = malloc(bytes);
    got = w->stack ? proc_read_some(w->all->pid, w->lo, w->stack, bytes) : 0;
    w->hi += got > 0 ? (u64)got : 0;
}

/*
 * Is it harmless to make the thread call pthread_create() while it has this frame on
 * its stack?
 */
static int
is_harmless(const struct remote_frame *f, int waits)
{
    const struct remote_image *m = f->image;
    u64 pc = f->regs.pc - (f->exact ? 0 : 1);

    const struct image_range *range;

    if (!m || m->is_loader || m->is_allocator)
        return 0;
    range = image_range(m, pc);
    return !range || range->code == CODE_PASSING ||
           (range->code == CODE_WAITING && waits);
}

/*
 * Is this a frame of the collector's own work? A hook that waits for the function that
 * it was called for does not count.
 */
static int
is_ours(const struct remote_frame *f)
{
    const struct image_range *range;

    if (!f->image || !f->image->is_ours)
        return 0;
    range = f->exact ? NULL : image_range(f->image, f->regs.pc - 1);
    return !range || range->code != CODE_PASSING;
}

int
walk_is_safe(const struct images *all, const struct tracee *t)
{
    struct walker w = { .all = all };
    struct remote_frame f = first_frame(all, t);
    u32 bottom = 0, before = 0, others = 0;
    int ret = 0;

    read_stack(&w, f.regs.r[REGS_SP], STACK_BYTES);
    for (u32 i = 0; i < FRAMES && ret == 0; i++) {
        if (!is_harmless(&f, t->waits)) {
            ret = -EPERM;
            break;
        }
        if (f.image->is_libc) {
            bottom++;
        } else {
            before = bottom;
            bottom = 0;
            others++;
        }
        ret = step(&w, &f);
    }
    free(w.stack);
    /*
     * In the first thread, main()'s callers are a few frames of libc, and outermost
     * _start, which is in the main program.
     */
    if (ret == -ENODATA && !bottom && f.image->is_main) {
        bottom = before;
        others--;
    }
    return ret == -ENODATA && others && bottom <= BOTTOM_FRAMES;
}

int
walk_is_ours(const struct images *all, const struct tracee *t)
{
    struct walker w = { .all = all };
    struct remote_frame f = first_frame(all, t);
    int ours = 0;

    read_stack(&w, f.regs.r[REGS_SP], OURS_BYTES);
    for (u32 i = 0; i < OURS_FRAMES && !ours; i++) {
        ours = is_ours(&f);
        if (step(&w, &f))
            break;
    }
    free(w.stack);
    return ours;
}
