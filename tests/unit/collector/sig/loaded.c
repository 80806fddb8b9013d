/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/loaded.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "collector/sig/cache_use.h"
#include "collector/sig/node.h"
#include "collector/sig/rule.h"

static void
add(u64 lo, u64 hi, u32 instance)
{
    struct objtab_object o = { .lo = lo, .hi = hi, .instance = instance };

    cr_assert_eq(loaded_add(&o), 0);
}

static u32
at(u64 pc)
{
    struct objtab_object o;

    return objtab_find(pc, &o) ? o.instance : 0;
}

Test(loaded, refuses_what_cannot_be)
{
    struct objtab_object empty = { .lo = 0x1000, .hi = 0x1000 };
    struct objtab_object kernel = { .lo = 0x1000, .hi = ~(u64)0 };

    cr_assert_eq(loaded_add(&empty), -EINVAL);
    cr_assert_eq(loaded_add(&kernel), -EINVAL);
}

Test(loaded, a_removal_voids_only_what_was_used)
{
    u32 generation;

    add(0x1000, 0x2000, 1);
    add(0x3000, 0x4000, 2);
    cache_use_mark(1, 0x1800);
    rule_put(rule_key(0x1800, 0), 5, objtab_now());
    generation = objtab_generation;
    loaded_remove(0x3000, 0x4000, 2);
    add(0x3000, 0x4000, 2);
    cr_assert_eq(objtab_generation, generation, "2 was in no stack");
    loaded_remove(0x1000, 0x2000, 1);
    cr_assert_neq(objtab_generation, generation);
    cr_assert_eq(rule_get(rule_key(0x1800, 0)), 0u);
}

Test(loaded, what_was_unknown_is_voided_when_it_becomes_known)
{
    u32 generation;

    cache_use_mark(0, 0x1800);
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
Test(loaded, what_goes_is_forgotten_however_much_came_since)
{
    for (u32 others = 1; others < 1 << 20; others *= 4) {
        u32 id;

        start_nodes();
        add(LIBRARY, LIBRARY + BYTES, 1);
        id = meet(LIBRARY + 0x20, 77);
        for (u32 i = 0; i < others; i++)
            intern(&batch, id, OTHER + 0x1000 + i);
        cr_assert_eq(rule_get(rule_key(LIBRARY + 0x20, 0)), 77u);
        loaded_remove(LIBRARY, LIBRARY + BYTES, at(LIBRARY));
        cr_assert_eq(rule_get(rule_key(LIBRARY + 0x20, 0)), 0u, "%u", others);
        add(LIBRARY, LIBRARY + BYTES, 2);
        cr_assert_eq(node_at(intern(&batch, 0, LIBRARY + 0x20))->instance, 2u);
        loaded_remove(LIBRARY, LIBRARY + BYTES, at(LIBRARY));
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

Test(loaded, what_comes_back_has_its_nodes_and_no_other_has_them)
{
    u32 one[100], two[100];

    start_nodes();
    for (u32 round = 0; round < 300; round++) {
        add(LIBRARY, LIBRARY + BYTES, 1);
        meet_all(round, 1, 5, one);
        loaded_remove(LIBRARY, LIBRARY + BYTES, at(LIBRARY));
        cr_assert_eq(rule_get(rule_key(LIBRARY + 0x100, 0)), 0u);
        if (round % 3 == 1)
            cr_assert_eq(node_at(intern(&batch, 0, LIBRARY + 0x100))->instance, 0u);
        if (round % 2)
            continue;
        add(LIBRARY + 0x80, LIBRARY + BYTES, 2);
        meet_all(round, 2, 6, two);
        loaded_remove(LIBRARY + 0x80, LIBRARY + BYTES, 2);
    }
    cr_assert_leq(node_written, 2u * 200 + 150);
}

Test(loaded, unknown_code_elsewhere_in_the_area_is_not_taken_for_known)
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

        cache_use_mark((u32)rule / 16, pc);
        if (turn % 32 == 0)
            sched_yield(); /* the table changes */
        rule_put(rule_key(pc, 0), rule, seen);
        intern(&own, 0, pc);
    }
    return NULL;
}

Test(loaded, nothing_is_kept_that_was_found_out_before_a_change)
{
    for (u32 round = 0; round < 20; round++) {
        pthread_t threads[3];

        start_nodes();
        over = 0;
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, meet_often, NULL);
        for (u32 i = 0; i < 200; i++) {
            loaded_remove(LIBRARY - 16, LIBRARY + BYTES, at(LIBRARY - 16));
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
