/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/rule.h"

static void
add(u64 lo, u64 hi, u32 instance)
{
    struct objtab_object o = { .lo = lo, .hi = hi, .instance = instance };

    cr_assert_eq(objtab_add(&o), 0);
}

static u32
at(u64 pc)
{
    struct objtab_object o;

    return objtab_find(pc, &o) ? o.instance : 0;
}

Test(objtab, finds_by_range)
{
    for (u64 i = 1000; i-- > 0;)
        add(0x10000 + i * 0x100, 0x10000 + i * 0x100 + 0x80, (u32)i + 1);
    cr_assert_eq(objtab_count(), 1000u);
    for (u64 i = 0; i < 1000; i++) {
        cr_assert_eq(at(0x10000 + i * 0x100), i + 1);
        cr_assert_eq(at(0x10000 + i * 0x100 + 0x7f), i + 1);
        cr_assert_eq(at(0x10000 + i * 0x100 + 0x80), 0u);
    }
    cr_assert_eq(at(0), 0u);
    cr_assert_eq(at(~(u64)0), 0u);
}

Test(objtab, the_later_range_wins)
{
    add(0x1000, 0x9000, 1);
    add(0x3000, 0x4000, 2);
    cr_assert_eq(at(0x2fff), 1u);
    cr_assert_eq(at(0x3000), 2u);
    cr_assert_eq(at(0x4000), 1u);
    cr_assert_eq(objtab_count(), 3u);
    objtab_remove(0x3800, 0x4800, 2);
    cr_assert_eq(at(0x4000), 1u, "of another instance");
    objtab_remove(0x4000, 0x4800, 1);
    cr_assert_eq(at(0x37ff), 2u);
    cr_assert_eq(at(0x3800), 0u);
    cr_assert_eq(at(0x4800), 1u);
    add(0, 0x10000, 7);
    cr_assert_eq(objtab_count(), 1u);
    cr_assert_eq(objtab_remove(0, 0x10000, 7), 0);
    cr_assert_eq(objtab_count(), 0u);
}

Test(objtab, refuses_what_cannot_be)
{
    struct objtab_object empty = { .lo = 0x1000, .hi = 0x1000 };
    struct objtab_object kernel = { .lo = 0x1000, .hi = ~(u64)0 };

    cr_assert_eq(objtab_add(&empty), -EINVAL);
    cr_assert_eq(objtab_add(&kernel), -EINVAL);
}

Test(objtab, a_removal_voids_only_what_was_used)
{
    u32 generation;

    add(0x1000, 0x2000, 1);
    add(0x3000, 0x4000, 2);
    objtab_mark_use(1, 0x1800);
    rule_put(rule_key(0x1800, 0), 5, objtab_now());
    generation = objtab_generation;
    objtab_remove(0x3000, 0x4000, 2);
    add(0x3000, 0x4000, 2);
    cr_assert_eq(objtab_generation, generation, "2 was in no stack");
    objtab_remove(0x1000, 0x2000, 1);
    cr_assert_neq(objtab_generation, generation);
    cr_assert_eq(rule_get(rule_key(0x1800, 0)), 0u);
}

Test(objtab, what_was_unknown_is_voided_when_it_becomes_known)
{
    u32 generation;

    objtab_mark_use(0, 0x1800);
    rule_put(rule_key(0x1800, 0), 5 | RULE_UNKNOWN, objtab_now());
    generation = objtab_generation;
    add(0x1000, 0x2000, 1);
    cr_assert_neq(objtab_generation, generation);
    cr_assert_eq(rule_get(rule_key(0x1800, 0)), 0u);
    generation = objtab_generation;
    add(0x1000, 0x2000, 1);
    cr_assert_eq(objtab_generation, generation, "the same again is nothing");
}

enum { LIBRARY = 0x100000, BYTES = 0x4000, OTHER = 0x900000 };

static u64 next;
static struct node_batch batch;

static void
start_nodes(void)
{
    node_start(&next);
    for (u32 i = 0; i < 64; i++)
        node_attach(i, mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

static u32
intern(struct node_batch *b, u32 parent, u64 pc)
{
    u64 key = node_key(pc, 0);

    return node_intern(b, parent, key, node_hash(parent, key));
}

/* As a walk does that comes by there: rules, and nodes of a caller and a callee. */
static u32
meet(u64 pc, u64 rule)
{
    u32 seen = objtab_now(), id = intern(&batch, 0, pc);

    rule_put(rule_key(pc, 0), rule, seen);
    return intern(&batch, id, OTHER + pc % 64 * 4);
}

/* However much was cached since, and whichever table that was in. */
Test(objtab, what_goes_is_forgotten_however_much_came_since)
{
    for (u32 others = 1; others < 1 << 20; others *= 4) {
        u32 id;

        start_nodes();
        add(LIBRARY, LIBRARY + BYTES, 1);
        id = meet(LIBRARY + 0x20, 77);
        for (u32 i = 0; i < others; i++)
            intern(&batch, id, OTHER + 0x1000 + i);
        cr_assert_eq(rule_get(rule_key(LIBRARY + 0x20, 0)), 77u);
        objtab_remove(LIBRARY, LIBRARY + BYTES, at(LIBRARY));
        cr_assert_eq(rule_get(rule_key(LIBRARY + 0x20, 0)), 0u, "%u", others);
        add(LIBRARY, LIBRARY + BYTES, 2);
        cr_assert_eq(node_at(intern(&batch, 0, LIBRARY + 0x20))->instance, 2u);
        objtab_remove(LIBRARY, LIBRARY + BYTES, at(LIBRARY));
    }
}

/* Callers in the library that is there, and their callees: in each round the same. */
static void
meet_all(u32 round, u32 instance, u64 rule, u32 ids[100])
{
    for (u32 i = 0; i < 100; i++) {
        u64 pc = LIBRARY + 0x100 + i * 16;
        u32 id = meet(pc, rule);

        cr_assert_eq(node_at(node_at(id)->parent)->instance, instance);
        if (round)
            cr_assert_eq(id, ids[i], "round %u", round);
        ids[i] = id;
    }
}

Test(objtab, what_comes_back_has_its_nodes_and_no_other_has_them)
{
    u32 one[100], two[100];

    start_nodes();
    for (u32 round = 0; round < 300; round++) {
        add(LIBRARY, LIBRARY + BYTES, 1);
        meet_all(round, 1, 5, one);
        objtab_remove(LIBRARY, LIBRARY + BYTES, at(LIBRARY));
        cr_assert_eq(rule_get(rule_key(LIBRARY + 0x100, 0)), 0u);
        if (round % 3 == 1)
            cr_assert_eq(node_at(intern(&batch, 0, LIBRARY + 0x100))->instance, 0u);
        if (round % 2)
            continue;
        add(LIBRARY + 0x80, LIBRARY + BYTES, 2);
        meet_all(round, 2, 6, two);
        objtab_remove(LIBRARY + 0x80, LIBRARY + BYTES, 2);
    }
    cr_assert_leq(node_written, 2u * 200 + 150);
}

Test(objtab, unknown_code_elsewhere_in_the_area_is_not_taken_for_known)
{
    u64 far = (u64)AREA_CELLS << AREA_SHIFT; /* shares its cell */
    u32 here, there;

    start_nodes();
    here = intern(&batch, 0, LIBRARY + BYTES + 0x100);
    there = intern(&batch, 0, LIBRARY + BYTES + far);
    cr_assert_eq(node_at(here)->instance, 0u);
    add(LIBRARY, LIBRARY + BYTES, 1);
    add(LIBRARY + BYTES, LIBRARY + 2 * BYTES, 2);
    add(LIBRARY + BYTES + far, LIBRARY + 2 * BYTES + far, 3);
    here = intern(&batch, 0, LIBRARY + BYTES + 0x100);
    there = intern(&batch, 0, LIBRARY + BYTES + far + 4);
    cr_assert_eq(node_at(here)->instance, 2u);
    cr_assert_eq(node_at(there)->instance, 3u);
}

static volatile int over;

/* Walks of other threads, while two libraries take turns at a place. */
static void *
meet_often(void *arg)
{
    struct node_batch own = { 0 };
    u64 turn = 0;

    (void)arg;
    while (!over) {
        u64 pc = LIBRARY + turn++ % 32 * 16;
        u32 seen = objtab_now();
        u64 rule = 16 * at(pc - 1) + 1;

        objtab_mark_use((u32)rule / 16, pc);
        if (turn % 32 == 0)
            sched_yield(); /* the table changes */
        rule_put(rule_key(pc, 0), rule, seen);
        intern(&own, 0, pc);
    }
    return NULL;
}

Test(objtab, nothing_is_kept_that_was_found_out_before_a_change)
{
    for (u32 round = 0; round < 20; round++) {
        pthread_t threads[3];

        start_nodes();
        over = 0;
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, meet_often, NULL);
        for (u32 i = 0; i < 200; i++) {
            objtab_remove(LIBRARY - 16, LIBRARY + BYTES, at(LIBRARY - 16));
            add(LIBRARY - 16, LIBRARY + BYTES, 1 + (i + round) % 3);
        }
        over = 1;
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        for (u64 pc = LIBRARY; pc < LIBRARY + 32 * 16; pc += 16) {
            u64 rule = rule_get(rule_key(pc, 0));

            cr_assert(rule == 0 || rule == 16 * at(pc - 1) + 1);
            cr_assert_eq(node_at(intern(&batch, 0, pc))->instance, at(pc - 1));
        }
    }
}

Test(objtab, asks_for_a_look_at_the_maps)
{
    struct objtab_object o;

    add(0x1000, 0x2000, 1);
    objtab_refresh_wanted = 0;
    at(0x1800);
    cr_assert_eq(objtab_refresh_wanted, 0u);
    cr_assert_eq(objtab_code(0x1800), CODE_OBJECT);
    cr_assert_eq(objtab_code(0x2800), CODE_NONE);
    at(0x2800);
    cr_assert_eq(objtab_refresh_wanted, 0u, "nobody knows it: perhaps no code");
    objtab_set_finder(dlsym(RTLD_DEFAULT, "_dl_find_object"));
    if (dlsym(RTLD_DEFAULT, "_dl_find_object")) {
        cr_assert(objtab_find((u64)(uintptr_t)&qsort, &o));
        cr_assert_neq(objtab_refresh_wanted, 0u);
        cr_assert_eq(o.instance, 0u);
        cr_assert_neq(o.hdr, 0u);
        cr_assert_lt(o.lo, (u64)(uintptr_t)&qsort);
    }
}

static volatile int stop;

/* Odd ranges come and go; the even ones are always there. */
static void *
look(void *arg)
{
    u64 bad = 0, turn = 0;

    (void)arg;
    while (!stop) {
        u64 i = turn++ % 200;
        u32 found = at(0x10000 + i * 0x1000);

        bad += i % 2 ? found != 0 && found != i + 1 : found != i + 1;
    }
    return (void *)(uintptr_t)bad;
}

Test(objtab, readers_are_right_beside_a_writer)
{
    pthread_t threads[2];

    for (u64 i = 0; i < 200; i += 2)
        add(0x10000 + i * 0x1000, 0x11000 + i * 0x1000, (u32)i + 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int turn = 0; turn < 300; turn++)
        for (u64 i = 1 + (u64)turn % 5 * 2; i < 200; i += 10) {
            add(0x10000 + i * 0x1000, 0x11000 + i * 0x1000, (u32)i + 1);
            objtab_remove(0x10000 + i * 0x1000, 0x11000 + i * 0x1000, (u32)i + 1);
        }
    stop = 1;
    for (int i = 0; i < 2; i++) {
        void *bad;

        pthread_join(threads[i], &bad);
        cr_assert_null(bad);
    }
}
