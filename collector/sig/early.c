/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/early.h"

#include "collector/sig/objtab.h"

enum state {
    STATE_FREE,
    STATE_TAKEN, /* being filled in */
    STATE_THERE,
    STATE_MET, /* the object is in map.xml: its number is not used again */
};

static ER_LARGE struct early {
    u64 lo;
    u64 hi;
    u64 hdr;
    u32 state; /* enum state */
} objects[EARLY_OBJECTS];

static u32 first; /* all objects before it are in STATE_MET */

static int
same(const struct early *e, const struct objtab_object *object)
{
    return e->lo == object->lo && e->hi == object->hi && e->hdr == object->hdr;
}

u32
early_number(const struct objtab_object *object)
{
    u32 i = __atomic_load_n(&first, __ATOMIC_RELAXED);

    for (; i < EARLY_OBJECTS; i++) {
        struct early *e = &objects[i];
        u32 state = __atomic_load_n(&e->state, __ATOMIC_ACQUIRE);

        if (state == STATE_THERE && same(e, object))
            return ER_EARLY_FIRST + i;
        if (state == STATE_TAKEN) /* maybe by the code that we have interrupted */
            return 0;
        if (state != STATE_FREE)
            continue;
        if (!__atomic_compare_exchange_n(&e->state, &state, STATE_TAKEN, 0,
                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return 0;
        e->lo = object->lo;
        e->hi = object->hi;
        e->hdr = object->hdr;
        __atomic_store_n(&e->state, STATE_THERE, __ATOMIC_RELEASE);
        return ER_EARLY_FIRST + i;
    }
    return 0;
}

u32
early_arrived(u64 lo, u64 hdr)
{
    u32 before = first;

    for (u32 i = first; i < EARLY_OBJECTS; i++) {
        struct early *e = &objects[i];
        u32 state = __atomic_load_n(&e->state, __ATOMIC_ACQUIRE);

        if (state == STATE_FREE)
            break;
        if (state == STATE_THERE && lo >= e->lo && lo < e->hi && e->hdr == hdr) {
            __atomic_store_n(&e->state, STATE_MET, __ATOMIC_RELEASE);
            return ER_EARLY_FIRST + i;
        }
        if (state == STATE_MET && i == before)
            __atomic_store_n(&first, ++before, __ATOMIC_RELAXED);
    }
    return 0;
}
