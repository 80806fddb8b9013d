/* SPDX-License-Identifier: Apache-2.0 */
/* The ring of overflow records, as the kernel writes it. */
#include "collector/sig/counter.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "share/branch.h"

enum { PAGE = 4096 };

static char memory[2 * PAGE] __attribute__((aligned(PAGE)));
static struct thread_counter counter = { .page = memory, .bytes = sizeof(memory) };

static struct perf_event_mmap_page *
page(void)
{
    return (struct perf_event_mmap_page *)(void *)memory;
}

static void
put(u64 value)
{
    memcpy(memory + PAGE + page()->data_head % PAGE, &value, sizeof(value));
    page()->data_head += sizeof(value);
}

/* A sample's address stands behind its pc. */
static void
put_record(u32 type, u64 a, u64 b, int words)
{
    u64 pc = type == PERF_RECORD_SAMPLE, size = 8 * ((u64)words + pc);

    put(type | size << 48);
    if (pc)
        put(0x401000);
    put(a);
    if (words > 2)
        put(b);
}

/* All notes: how many overflows, and where the last one was. */
static u64
take(struct thread_counter *c, u64 *addr)
{
    struct counter_notes notes = counter_notes(c);
    struct counter_note note;
    u64 sum = 0;

    while (counter_next(&notes, 0, &note)) {
        sum += note.kind == NOTE_THROTTLED ? 0 : note.count;
        if (note.kind == NOTE_OVERFLOW && addr)
            *addr = note.addr;
    }
    return sum;
}

Test(counter, a_signal_may_stand_for_several)
{
    u64 addr = 0;

    put_record(PERF_RECORD_SAMPLE, 0x1000, 0, 2);
    put_record(PERF_RECORD_SAMPLE, 0x2000, 0, 2);
    put_record(PERF_RECORD_THROTTLE, 1, 2, 3);
    cr_assert_eq(take(&counter, &addr), 2);
    cr_assert_eq(addr, 0x2000);
    cr_assert_eq(take(&counter, &addr), 0);
}

Test(counter, lost_ones_count)
{
    u64 addr = 0;

    put_record(PERF_RECORD_SAMPLE, 0x1000, 0, 2);
    put_record(PERF_RECORD_LOST, 9, 40, 3);
    cr_assert_eq(take(&counter, &addr), 41);
    cr_assert_eq(addr, 0x1000);
}

Test(counter, the_ring_goes_round)
{
    u64 addr, sum = 0;

    for (u64 i = 1; i <= 1000; i++) {
        put_record(PERF_RECORD_SAMPLE, i << 12, 0, 2);
        if (i % 7 == 0)
            put_record(PERF_RECORD_THROTTLE, 1, 2, 3);
        if (i % 50 == 0) {
            sum += take(&counter, &addr);
            cr_assert_eq(addr, i << 12);
        }
    }
    cr_assert_eq(sum, 1000);
}

/* The target can write there: nothing makes us read elsewhere, or for ever. */
Test(counter, nonsense_ends)
{
    u64 addr = 0;

    memset(memory, 0xff, sizeof(memory));
    (void)take(&counter, &addr);
    memset(memory, 0, sizeof(memory));
    page()->data_head = PAGE;
    cr_assert_eq(take(&counter, &addr), 0);
    page()->data_head = ~0ull;
    page()->data_tail = 0;
    cr_assert_eq(take(&counter, &addr), 0);
}

Test(counter, notes_come_in_order_with_physical_addresses)
{
    struct counter_notes notes;
    struct counter_note note;

    put_record(PERF_RECORD_SAMPLE, 0x1000, 0x77000, 3);
    put_record(PERF_RECORD_THROTTLE, 1, 2, 3);
    put_record(PERF_RECORD_UNTHROTTLE, 1, 2, 3);
    put_record(PERF_RECORD_LOST, 9, 5, 3);
    notes = counter_notes(&counter);
    cr_assert_eq(counter_next(&notes, 1, &note), 1);
    cr_assert_eq(note.kind, NOTE_OVERFLOW);
    cr_assert_eq(note.paddr, 0x77000);
    cr_assert_eq(counter_next(&notes, 1, &note), 1);
    cr_assert_eq(note.kind, NOTE_THROTTLED);
    cr_assert_eq(counter_next(&notes, 1, &note), 1);
    cr_assert_eq(note.kind, NOTE_LOST);
    cr_assert_eq(note.count, 5);
    cr_assert_eq(counter_next(&notes, 1, &note), 0);
}

/* A kernel without NUMA, or a container, may not say; nobody says something wrong. */
Test(counter, where_memory_is)
{
    static volatile char here;
    u32 home;

    here = 1;
    home = counter_home((u64)(uintptr_t)&here, 0);
    cr_assert_lt(home, 1025);
    cr_assert_eq(counter_home((u64)(uintptr_t)&here, 1), 1);
    cr_assert_eq(counter_home(0, 1), 0);
    cr_assert_eq(counter_home(8, 2), 0);
    counter_no_home = 1;
    cr_assert_eq(counter_home((u64)(uintptr_t)&here, 2), 0);
}

/* A machine of two nodes, which have pages in turn: system calls are answered here. */
static void
on_call(int signo, siginfo_t *info, void *context)
{
    greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
    int good = info->si_syscall == SYS_get_mempolicy && !reg[REG_RSI] &&
               reg[REG_R8] == (MPOL_F_NODE | MPOL_F_ADDR);

    (void)signo;
    if (good)
        *(int *)(uintptr_t)reg[REG_RDI] = (int)(reg[REG_R10] / PAGE & 1);
    reg[REG_RAX] = good ? 0 : -EINVAL;
}

static int
trap_calls(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_get_mempolicy, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { ER_COUNT(code), code };
    struct sigaction act;

    memset(&act, 0, sizeof(act));
    act.sa_sigaction = on_call;
    act.sa_flags = SA_SIGINFO;
    return sigaction(SIGSYS, &act, NULL) | prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) |
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

Test(counter, two_nodes_are_told_apart)
{
    u64 page = (u64)(uintptr_t)memory / PAGE & 1;

    if (trap_calls())
        cr_skip_test("filters of system calls are refused here");
    cr_assert_eq(counter_home((u64)(uintptr_t)memory + 8, 2), page + 1);
    cr_assert_eq(counter_home((u64)(uintptr_t)memory + PAGE, 2), !page + 1);
    cr_assert_eq(counter_home((u64)(uintptr_t)memory, 0), page + 1);
}

Test(counter, without_a_ring_each_signal_is_one)
{
    struct thread_counter plain = { .page = memory, .bytes = PAGE };

    cr_assert_eq(take(&plain, NULL), 1);
}

Test(counter, is_found_by_its_descriptor)
{
    static struct thread t;

    t.counter[0].number = 1001;
    t.counter[1].number = 1002;
    t.counters = 2;
    cr_assert_eq(counter_of(&t, 1002), 1);
    cr_assert_eq(counter_of(&t, 1003), -1);
}

/* A sample of `size` bytes that says to have `count` branches. */
static void
put_branches(u64 count, u64 size)
{
    put(PERF_RECORD_SAMPLE | size << 48);
    put(0x401000);
    put(0);
    put(count);
    for (u64 i = 0; i < (size - 32) / 24; i++) {
        put(0x401100 + i);
        put(0x401000);
        put(2 | 7 << 4);
    }
}

/* How many branches all samples have. */
static u64
take_branches(void)
{
    struct counter_notes notes = counter_notes(&counter);
    unsigned char steps[ER_STR_MAX];
    struct counter_note note;
    struct branch b;
    u64 n = 0;

    while (counter_next(&notes, 0, &note)) {
        u32 bytes = counter_branches(&counter, &note, steps);
        const unsigned char *p = steps;
        u64 at = 0;

        cr_assert_leq(bytes, (u32)ER_STR_MAX);
        for (u64 i = 0; branch_get(&p, steps + bytes, &at, &b); i++, n++) {
            cr_assert_eq(b.from, 0x401100 + i);
            cr_assert(b.to == 0x401000 && b.cycles == 7);
            cr_assert_eq(b.flags, (u32)BRANCH_PREDICTED);
        }
    }
    return n;
}

Test(counter, branches_are_read)
{
    for (int round = 0; round < 40; round++) {
        put_branches(32, 32 + 32 * 24);
        put_branches(3, 32 + 3 * 24);
        put_branches(0, 32);
        put_record(PERF_RECORD_LOST, 1, 5, 2);
        cr_assert_eq(take_branches(), 35, "round %d", round);
    }
}

/* The page can be written by the target: what a record says may be anything. */
Test(counter, more_branches_than_there_are_is_none)
{
    static const u64 counts[] = { 4, 5, 1 << 20, UINT64_MAX, UINT64_MAX / 24 + 2 };

    for (u32 i = 0; i < ER_COUNT(counts); i++) {
        put_branches(counts[i], 32 + 3 * 24);
        cr_assert_eq(take_branches(), 0);
    }
    put(PERF_RECORD_SAMPLE | 24ull << 48);
    put(0x401000);
    put(0);
    cr_assert_eq(take_branches(), 0);
    for (u32 i = 0; i < PAGE / 8; i++)
        put(0xfff800000009 + i);
    (void)take_branches();
    cr_assert_eq(page()->data_tail, page()->data_head);
}
