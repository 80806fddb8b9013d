/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "collector/sig/node.h"
#include "collector/sig/loaded.h"

static u64 next;

static void *
segment(void)
{
    return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static u32
child(struct node_batch *batch, u32 parent, u64 key)
{
    return node_intern(batch, parent, key, node_hash(parent, key));
}

Test(node, the_file_begins_with_its_magic)
{
    void *base = segment();

    node_start(&next);
    cr_assert_eq(node_attach(1, base), -EINVAL, "segments come in order");
    cr_assert_eq(node_attach(0, base), 0);
    cr_assert_eq(memcmp(base, NODE_MAGIC, 8), 0);
    cr_assert_eq(node_at(0), base);
    cr_assert_null(node_at(NODE_SEGMENT_NODES));
}

Test(node, a_path_is_stored_once)
{
    struct node_batch batch = { 0 };
    u32 root, leaf;

    node_start(&next);
    node_attach(0, segment());
    root = child(&batch, 0, node_key(0x1000, 0));
    leaf = child(&batch, root, node_key(0x2000, NODE_EXACT));
    cr_assert_eq(root, 1u, "node 0 is the header");
    cr_assert_neq(leaf, 0u);
    cr_assert_eq(child(&batch, 0, node_key(0x1000, 0)), root);
    cr_assert_eq(child(&batch, root, node_key(0x2000, NODE_EXACT)), leaf);
    cr_assert_neq(child(&batch, root, node_key(0x2000, 0)), leaf);
    cr_assert_eq(node_at(leaf)->parent, root);
    cr_assert_eq(node_at(leaf)->pc_flags, node_key(0x2000, NODE_EXACT));
    cr_assert_eq(node_at(root)->instance, 0u);
}

Test(node, the_instance_is_that_of_the_call)
{
    struct objtab_object low = { .lo = 0x1000, .hi = 0x2000, .instance = 5 };
    struct objtab_object high = { .lo = 0x2000, .hi = 0x3000, .instance = 6 };
    struct node_batch batch = { 0 };

    node_start(&next);
    node_attach(0, segment());
    loaded_add(&low);
    loaded_add(&high);
    cr_assert_eq(node_at(child(&batch, 0, node_key(0x2000, 0)))->instance, 5u);
    cr_assert_eq(node_at(child(&batch, 0, node_key(0x2000, NODE_EXACT)))->instance, 6u);
    cr_assert_eq(node_at(child(&batch, 0, node_key(0x2001, 0)))->instance, 6u);
}

enum { TRAP_FLAG = 0x100, STEPS_MAX = 20000 };

static struct node_batch stepped;
static u32 step, nested_at, nested_id;

/* One instruction further; at one of them, a signal handler's walk. */
static void
on_step(int signo, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;

    (void)signo, (void)info;
    uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    if (step++ != nested_at)
        return;
    nested_id = child(&stepped, 0, node_key(0x2000, 0));
    uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static bool
is_own(u32 id, u64 pc)
{
    return id && id * sizeof(struct node) < next &&
           node_at(id)->pc_flags == node_key(pc, 0);
}

/* In a forked child the thread has ids of its parent's file left. */
Test(node, ids_of_another_file_are_not_used_whenever_a_handler_comes)
{
    struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };
    void *file = segment();
    u32 old, id;

    sigaction(SIGTRAP, &action, NULL);
    node_start(&next);
    node_attach(0, segment());
    for (u32 i = 0; i < 50; i++)
        old = child(&stepped, 0, node_key(0x5000 + i, 0));
    for (nested_at = 1; nested_at < STEPS_MAX; nested_at++) {
        struct node_batch left = stepped;

        next = 0;
        memset(file, 0, 4 * NODE_BATCH * sizeof(struct node));
        node_start(&next);
        node_attach(0, file);
        step = nested_id = 0;
        raise(SIGTRAP);
        id = child(&stepped, 0, node_key(0x1000, 0));
        __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "cc", "memory");
        cr_assert(is_own(id, 0x1000), "at %u: %u of %u", nested_at, id, old);
        if (step <= nested_at)
            break;
        cr_assert(is_own(nested_id, 0x2000), "at %u: nested %u", nested_at, nested_id);
        cr_assert_neq(id, nested_id);
        stepped = left;
    }
    cr_assert(nested_at > 50 && nested_at < STEPS_MAX, "%u", nested_at);
}

Test(node, without_room_nothing_is_stored)
{
    struct node_batch batch = { 0 };
    u32 id, last = 0, n = 0;

    node_start(&next);
    cr_assert_eq(child(&batch, 0, 1), 0u, "no segment yet");
    cr_assert(node_segment_wanted);
    node_attach(0, segment());
    while ((id = child(&batch, last, node_key(0x1000 + n, 0))) != 0) {
        last = id;
        n++;
    }
    cr_assert_eq(n, (u32)NODE_SEGMENT_NODES - 1);
    cr_assert_eq(node_dropped, 2u);
    cr_assert_eq(node_written, n);
    cr_assert(node_segment_wanted);
    cr_assert_eq(next, (u64)1 << 20);
    node_attach(1, segment());
    cr_assert_eq(child(&batch, last, 77), (u32)NODE_SEGMENT_NODES);
}

Test(node, a_flushed_node_is_made_anew)
{
    struct node_batch batch = { 0 };
    u32 a, b;

    node_start(&next);
    node_attach(0, segment());
    a = child(&batch, 0, node_key(0x1000, 0));
    b = child(&batch, 0, node_key(0x5000, 0));
    node_flush(&(struct recent_gone){ .lo = 0x1000, .hi = 0x2000 });
    cr_assert_neq(child(&batch, 0, node_key(0x1000, 0)), a);
    cr_assert_eq(child(&batch, 0, node_key(0x5000, 0)), b);
}

/* Also when the table gets more sets: nearly all of them, and always the same. */
Test(node, a_node_is_found_again_in_a_table_that_grows)
{
    enum { NODES = 20000 };
    struct node_batch batch = { 0 };
    static u32 ids[NODES];
    u64 before;
    u32 anew = 0;

    node_start(&next);
    node_attach(0, segment());
    before = node_mask;
    for (u64 i = 0; i < NODES; i++) {
        ids[i] = child(&batch, 0, node_key(0x1000 + 7 * i, 0));
        anew += child(&batch, 0, node_key(0x1000 + 7 * (i / 2), 0)) != ids[i / 2];
    }
    cr_assert_gt(node_mask, before);
    for (u64 i = 0; i < NODES; i++)
        anew += child(&batch, 0, node_key(0x1000 + 7 * i, 0)) != ids[i];
    cr_assert_lt(anew, NODES / 100u, "%u", anew);
    node_start(&next);
    cr_assert_eq(node_mask, before, "a new file begins small");
}

Test(node, a_start_forgets_batches)
{
    static u64 other;
    struct node_batch batch = { 0 };

    node_start(&next);
    node_attach(0, segment());
    for (u64 i = 1; i < 5; i++)
        child(&batch, 0, i);
    node_start(&other);
    node_attach(0, segment());
    cr_assert_eq(child(&batch, 0, 9), 1u);
}

enum { PATHS = 3000, DEPTH = 9, TURNS = 12 };

/* Paths that share their beginnings; each must come back as it went in. */
static void *
build_paths(void *arg)
{
    struct node_batch batch = { 0 };
    u64 bad = 0;

    (void)arg;
    for (int turn = 0; turn < TURNS; turn++)
        for (u64 path = 0; path < PATHS; path++) {
            u64 keys[DEPTH];
            u32 id = 0, hash = NODE_ROOT_HASH;

            for (int i = 0; i < DEPTH; i++) {
                keys[i] = 0x400000 + (path >> (DEPTH - 1 - i)) * 16;
                hash = node_hash(hash, keys[i]);
                id = node_intern(&batch, id, keys[i], hash);
            }
            for (int i = DEPTH; i-- > 0; id = node_at(id)->parent)
                bad += id == 0 || node_at(id)->pc_flags != keys[i];
            bad += id != 0;
        }
    return (void *)(uintptr_t)bad;
}

Test(node, threads_never_mix_their_paths)
{
    pthread_t threads[4];

    node_start(&next);
    for (u32 i = 0; i < 16; i++)
        node_attach(i, segment());
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, build_paths, NULL);
    for (int i = 0; i < 4; i++) {
        void *bad;

        pthread_join(threads[i], &bad);
        cr_assert_null(bad);
    }
    cr_assert_eq(node_dropped, 0u);
    cr_assert_lt(node_written, 4u * PATHS * DEPTH, "threads share nodes");
}
