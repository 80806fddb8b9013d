/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/thread.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "collector/preload/account.h"
#include "collector/sig/guard.h"
#include "collector/preload/map.h"
#include "collector/preload/room.h"
#include "collector/preload/clients.h"
#include "collector/preload/stack.h"
#include "collector/preload/wall.h"
#include "collector/sig/chain.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/frame.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/python.h"
#include "collector/source/source.h"

enum {
    /*
     * Room for the kernel's frame, our handler, and a handler of the target that needs
     * ALT_SMALL bytes.
     */
    ALT_BYTES = 45056,
    ALT_SMALL = 32768, /* smaller alternate stacks are replaced by ours */
    PAGE = 4096,
};

struct thread *thread_list;
int thread_kept;
static int expected; /* number of threads that are being created */
static u64 dropped_before; /* events dropped by threads that have ended */

static u64
page_up(u64 bytes)
{
    return (bytes + PAGE - 1) & ~(u64)(PAGE - 1);
}

/*
 * Make a thread's memory in one mapping: the struct, the alternate stack, and memory
 * for the walk and for python.h.
 */
static struct thread *
make(const struct thread_birth *birth)
{
    u64 head = page_up(sizeof(struct thread));
    u64 bytes = head + ALT_BYTES + page_up(walk_bytes(WALK_FRAMES)) + PYTHON_MEMORY;
    struct thread *t = sys_map(bytes);

    if (!t)
        return NULL;
    t->block = t;
    t->block_bytes = bytes;
    t->alt = (char *)t + head;
    t->alt_bytes = ALT_BYTES;
    t->timer = -1;
    t->perf.fd = t->perf.number = -1;
    t->walk = walk_init((char *)t->alt + ALT_BYTES, WALK_FRAMES, birth->stack_lo,
                        birth->stack_hi);
    python_memory(t, (char *)t + bytes - PYTHON_MEMORY);
    return t;
}

void
thread_start_rows(void)
{
    u64 none = 0;

    __atomic_compare_exchange_n(&space_ctl->file[FILE_threads].next, &none,
                                ER_THREAD_BYTES, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static u64
reserved_of(enum er_file file)
{
    return __atomic_load_n(&space_ctl->file[file].reserved, __ATOMIC_ACQUIRE);
}

static struct rec_thread *
alloc_row(u32 *id)
{
    struct ctl_file *file = &space_ctl->file[FILE_threads];
    u64 at = __atomic_fetch_add(&file->next, ER_THREAD_BYTES, __ATOMIC_ACQ_REL);
    u64 end = at + ER_THREAD_BYTES;
    u32 others = __atomic_fetch_add(&space_ctl->threads, 1, __ATOMIC_RELAXED);
    int small = reserved_of(FILE_profile) < ER_SEGMENT;

    *id = (u32)(at / ER_THREAD_BYTES);
    /* A descendant's files begin small, with room for the first chunks of 2 threads. */
    if (ctl_is_scarce(end, reserved_of(FILE_threads)) || (others && small))
        space_want(WANT_SPACE);
    if (end > reserved_of(FILE_threads) || (others > 1 && small))
        room_help();
    if (end > reserved_of(FILE_threads))
        return NULL;
    return (void *)space_at(FILE_threads, at);
}

static void
fill_row(struct thread *t, void *start)
{
    struct rec_thread *row = t->row;

    if (!row)
        return;
    row->tid = t->tid;
    row->birth = wall_is_on && t->tid ? t->wall.birth : clock_mono();
    row->cpu_birth = row->cpu_last = t->cpu_birth;
    row->start = (u64)(uintptr_t)start;
    row->instance = map_instance(row->start);
    row->source = t->source;
    row->self = (u64)(uintptr_t)__builtin_thread_pointer();
    sys_call4(SYS_prctl, PR_GET_NAME, (long)(uintptr_t)row->name.c, 0, 0);
    __atomic_store_n(&row->id, t->id, __ATOMIC_RELEASE);
}

static void
link_in(struct thread *t)
{
    guard_lock(&guard_threads);
    t->next = thread_list;
    t->link = &thread_list;
    if (thread_list)
        thread_list->link = &t->next;
    thread_list = t;
    guard_unlock(&guard_threads);
}

static void
unlink_out(struct thread *t)
{
    guard_lock(&guard_threads);
    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
    guard_unlock(&guard_threads);
}

void
thread_alt_install(struct thread *t)
{
    stack_t ours = { .ss_sp = t->alt, .ss_size = t->alt_bytes };

    if (thread_no_alt && !thread_alt_shared && !t->alt_instead)
        return;
    t->alt_ours =
        sys_call4(SYS_sigaltstack, (long)(uintptr_t)&ours, 0, 0, 0) == 0 ? 1 : 0;
}

void
thread_alt_replace(struct thread *t, const stack_t *target)
{
    t->alt_ours = t->alt_instead = 0;
    if (target->ss_flags & ~SS_ONSTACK || target->ss_size >= ALT_SMALL)
        return;
    t->alt_told = *target;
    t->alt_told.ss_flags = 0;
    t->alt_instead = 1;
    thread_alt_install(t);
    t->alt_instead = t->alt_ours;
}

/*
 * Install our alternate stack, but keep one that the thread has, if it is large enough:
 * an earlier constructor may have set it.
 */
static void
alt_begin(struct thread *t)
{
    stack_t now = { 0 };

    sys_call4(SYS_sigaltstack, 0, (long)(uintptr_t)&now, 0, 0);
    if (now.ss_flags & SS_DISABLE)
        thread_alt_install(t);
    else
        thread_alt_replace(t, &now);
}

/*
 * Remove our alternate stack. 0, or -errno: a filter of the target forbids that, and
 * the kernel still uses our stack.
 */
static long
alt_end(struct thread *t)
{
    stack_t none = { .ss_flags = SS_DISABLE }, now;
    const stack_t *back;
    long error = 0;

    /* The target's handler may have put its own stack back: frame_set_stack(). */
    if (!t->alt_ours && t->alt_told.ss_size &&
        sys_call4(SYS_sigaltstack, 0, (long)(uintptr_t)&now, 0, 0) == 0)
        frame_set_stack(t, &now);
    back = t->alt_instead ? &t->alt_told : &none;
    if (t->alt_ours)
        error = sys_call4(SYS_sigaltstack, (long)(uintptr_t)back, 0, 0, 0);
    t->alt_ours = t->alt_instead = 0;
    return error;
}

/*
 * mask: the mask with which the thread was created. Returns the one to use: our signal
 * is removed from it and noted as blocked in the target's view; but not in Go's
 * threads, which unblock signals by their own system calls.
 */
static u64
see_mask(struct thread *t, const struct thread_birth *birth, u64 mask)
{
    u64 own = 1ull << (hit_signal - 1);

    if (!hit_is_used || (thread_alt_shared && hit_signal != SIGURG))
        return mask;
    /* It may be blocked by pthread_attr_setsigmask_np(), or for a signalfd. */
    t->blocked = birth->blocked || mask & own;
    if (t->blocked)
        __atomic_store_n(&frame_views, 1, __ATOMIC_RELAXED);
    t->blocked_with = mask & ~own;
    return mask & ~own;
}

void
thread_begin(const struct thread_birth *birth)
{
    u64 mask = guard_enter();
    struct thread *t = gate_is_open() ? make(birth) : NULL;
    struct cpu_times startup;

    if (t) {
        t->tid = (u32)sys_call4(SYS_gettid, 0, 0, 0, 0);
        t->pointer = (u64)(uintptr_t)__builtin_thread_pointer();
        t->given_up = !hit_is_used;
        if (birth->mask)
            *birth->mask = see_mask(t, birth, *birth->mask);
        else
            mask = see_mask(t, birth, mask);
        t->given = account_now();
        startup = birth->has_startup ? birth->startup : t->given;
        t->before.user = t->given.user - startup.user;
        t->before.system = t->given.system - startup.system;
        t->cpu_birth = startup.user + startup.system;
        t->row = alloc_row(&t->id);
        account_residual(t, RESIDUAL_STARTUP, startup.user, startup.system);
        if (wall_is_on)
            wall_begin(t, wall_delay_of(t->tid));
        alt_begin(t);
        link_in(t);
        thread_self = t;
        source_arm(t);
        fill_row(t, birth->start);
    }
    guard_leave(mask);
}

struct thread *
thread_make_stray(void)
{
    struct thread_birth birth = { 0 };
    struct thread *t = make(&birth);

    if (!t)
        return NULL;
    t->source = SOURCE_UNSEEN;
    t->row = alloc_row(&t->id);
    __atomic_fetch_sub(&space_ctl->threads, 1, __ATOMIC_RELAXED);
    link_in(t);
    fill_row(t, NULL);
    if (t->row)
        memcpy(t->row->name.c, "(others)", sizeof("(others)"));
    return t;
}

/* Stop recording t. keep: a hook of ours is still on its stack, and will use t. */
static void
end(struct thread *t, int keep)
{
    long error;

    source_disarm(t);
    account_close(t);
    if (t->row)
        t->row->death = clock_mono();
    if (t->omp)
        t->omp_close(t, 1);
    writer_seal(&t->profile, FILE_profile);
    writer_seal(&t->overview, FILE_overview);
    writer_seal(&t->hwcounters, FILE_hwcounters);
    writer_seal(&t->objects, FILE_objects);
    thread_seal_traces(t);
    error = alt_end(t);
    thread_self = NULL;
    __atomic_fetch_add(&dropped_before, thread_dropped_of(t), __ATOMIC_RELAXED);
    unlink_out(t);
    if (keep) {
        thread_kept = 1;
        return;
    }
    /* If alt_end() has failed, the kernel still uses the alternate stack: keep it. */
    stack_free(t);
    if (error >= 0)
        sys_unmap(t->block, t->block_bytes);
}

void
thread_end(void)
{
    u64 mask = guard_enter();

    if (thread_self)
        end(thread_self, 0);
    guard_leave(mask);
}

u64
thread_detach(u64 signal_mask, int keep)
{
    u64 mask = guard_enter();
    struct thread *t = thread_self;
    siginfo_t info;

    if (t) {
        if (t->blocked)
            signal_mask |= 1ull << (hit_signal - 1);
        source_disarm(t);
        if (chain_pop(t, &info))
            chain_deliver(t->tid, &info);
        end(t, keep);
    }
    guard_leave(mask);
    return signal_mask;
}

u32
thread_count(void)
{
    u64 mask = guard_enter();
    u32 count = 0;

    guard_lock(&guard_threads);
    for (const struct thread *t = thread_list; t; t = t->next)
        count += t->tid != 0;
    guard_unlock(&guard_threads);
    guard_leave(mask);
    return count;
}

void
thread_leave_all(void)
{
    struct thread *self = thread_self, *next;

    for (struct thread *t = thread_list; t; t = next) {
        next = t->next;
        if (t == self)
            continue;
        stack_free(t);
        sys_unmap(t->block, t->block_bytes);
    }
    thread_list = NULL;
    expected = 0;
    dropped_before = 0;
    if (!self)
        return;
    perf_disarm_child(self);
    counter_forget(self);
}

/*
 * Reset t in a forked child. Its stacks, and what the target has set for it, are
 * unchanged.
 */
static void
renew(struct thread *t)
{
    siginfo_t info;

    t->tid = (u32)sys_call4(SYS_gettid, 0, 0, 0, 0);
    t->source = 0;
    memset(&t->profile, 0, sizeof(t->profile));
    memset(&t->overview, 0, sizeof(t->overview));
    memset(&t->hwcounters, 0, sizeof(t->hwcounters));
    memset(&t->objects, 0, sizeof(t->objects));
    thread_renew_traces(t);
    t->omp = NULL;
    t->omp_level = 0;
    memset(&t->perf, 0, sizeof(t->perf));
    t->seen = t->due = t->paused = t->before = (struct cpu_times){ 0, 0 };
    t->stretch = (struct kernel_time){ 0 };
    t->skip = 0;
    t->events = t->dropped = t->count_events = t->count_dropped = 0;
    t->count_lost = t->count_throttled = 0;
    while (chain_pop(t, &info))
        continue; /* a child does not inherit pending signals */
}

/* Record a thread that the parent did not record: its kernel mask is the target's. */
static void
begin_anew(u64 *mask)
{
    const u64 own = 1ull << (hit_signal - 1);
    struct thread_birth birth = { .blocked = (*mask & own) != 0 };

    thread_begin(&birth);
    if (!thread_self || !hit_is_used)
        return;
    thread_self->blocked = birth.blocked;
    *mask &= ~own;
}

void
thread_begin_child(u64 *signal_mask)
{
    u64 mask = guard_enter();
    struct thread *t = thread_self;

    if (!t) {
        begin_anew(signal_mask);
        guard_leave(mask);
        return;
    }
    renew(t);
    t->given = account_now();
    t->cpu_birth = t->given.user + t->given.system;
    t->row = alloc_row(&t->id);
    account_residual(t, RESIDUAL_STARTUP, t->given.user, t->given.system);
    if (wall_is_on)
        wall_begin(t, wall_delay_of(t->tid));
    link_in(t);
    if (!t->given_up)
        source_arm(t);
    fill_row(t, NULL);
    guard_leave(mask);
}

u32
thread_leave_child(struct thread *t)
{
    (void)alt_end(t);
    perf_disarm_child(t);
    counter_forget(t);
    return t->blocked;
}

void
thread_suspend_signal(struct thread *t)
{
    u64 mask, own = 1ull << (hit_signal - 1);
    siginfo_t info;

    if (gate_limited)
        return;
    mask = guard_enter();
    source_disarm(t);
    t->given_up = 1;
    if (chain_pop(t, &info))
        chain_deliver(t->tid, &info);
    if (t->blocked)
        mask |= own;
    t->blocked = 0;
    guard_leave(mask);
}

void
thread_resume_signal(struct thread *t, u64 *mask)
{
    const u64 own = 1ull << (hit_signal - 1);

    t->given_up = 0;
    t->blocked = (*mask & own) != 0;
    t->blocked_with = 0;
    *mask &= ~own;
    source_arm(t);
}

void
thread_expect(int n)
{
    __atomic_fetch_add(&expected, n, __ATOMIC_SEQ_CST);
}

int
thread_is_alone(void)
{
    u64 mask = guard_enter();
    int alone;

    guard_lock(&guard_threads);
    alone = thread_self && thread_list == thread_self && !thread_list->next &&
            __atomic_load_n(&expected, __ATOMIC_SEQ_CST) <= 0;
    guard_unlock(&guard_threads);
    guard_leave(mask);
    return alone;
}

void
thread_close_accounts(void)
{
    u64 mask = guard_enter();
    struct thread *self = thread_self;

    if (self)
        account_close(self);
    guard_lock(&guard_threads);
    for (struct thread *t = thread_list; t; t = t->next) {
        int is_known = t != self && t->row && t->tid;
        u64 cpu = is_known ? clock_read(clock_of_thread(t->tid)) : 0;

        if (cpu)
            t->row->cpu_last = account_since_birth(t, cpu);
        if (is_known)
            thread_read_name(t);
        if (cpu && wall_is_on)
            wall_update_delay(t);
        if (thread_note_regions && self && t->region.own)
            thread_note_regions(t);
        if (clients_calls.ending && self && t->trace[TRACE_call].own)
            clients_calls.ending(t);
        if (t->omp)
            t->omp_close(t, 0);
    }
    guard_unlock(&guard_threads);
    guard_leave(mask);
}

void
thread_close_regions(void)
{
    u64 mask = guard_enter();

    guard_lock(&guard_threads);
    for (struct thread *t = thread_list; t && thread_self; t = t->next)
        if (thread_note_regions && t->region.own)
            thread_note_regions(t);
    guard_unlock(&guard_threads);
    guard_leave(mask);
}

void
thread_pause(u64 pointer, int pause)
{
    u64 mask = guard_enter();

    guard_lock(&guard_threads);
    for (struct thread *t = thread_list; t; t = t->next)
        if (t->pointer == pointer)
            __atomic_store_n(&t->alone, pause ? (u32)CTL_PAUSED : 0, __ATOMIC_RELAXED);
    guard_unlock(&guard_threads);
    guard_leave(mask);
}

void
thread_silence(void)
{
    u64 mask = guard_enter();

    guard_lock(&guard_threads);
    for (struct thread *t = thread_list; t; t = t->next)
        source_silence(t);
    guard_unlock(&guard_threads);
    guard_leave(mask);
}

void
thread_limit(int no_timer, int no_vary)
{
    u64 mask = guard_enter();

    guard_lock(&guard_threads);
    for (struct thread *t = thread_list; t; t = t->next) {
        if (no_timer)
            timer_disarm(t);
        if (no_vary)
            t->perf.fd = -1;
    }
    guard_unlock(&guard_threads);
    guard_leave(mask);
}

u64
thread_dropped(void)
{
    u64 mask = guard_enter();
    u64 sum;

    guard_lock(&guard_threads);
    sum = __atomic_load_n(&dropped_before, __ATOMIC_RELAXED);
    for (const struct thread *t = thread_list; t; t = t->next)
        sum += thread_dropped_of(t);
    guard_unlock(&guard_threads);
    guard_leave(mask);
    return sum;
}
