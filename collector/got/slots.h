/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of load objects that were changed, so that they can be restored. Normal context
 * of any thread; the caller sees to it that one thread at a time uses a list. Memory
 * comes from the kernel, as malloc() is the target's.
 */
#ifndef ERTOOLS_COLLECTOR_GOT_SLOTS_H
#define ERTOOLS_COLLECTOR_GOT_SLOTS_H

#include "collector/got/object.h"
#include "share/types.h"

struct slot {
    u64 *at;
    u64 before;
    u64 ours;
};

struct slots {
    struct slot *slot;
    u64 count, room;
};

/*
 * Write the address of our function into the word at `at`, and keep its old value.
 * 0, or -ENOMEM: the word is unchanged.
 */
int slots_change(struct slots *s, u64 *at, u64 before, u64 ours);

/*
 * Restore each word that still has our function's address and is in an object that is
 * loaded. The list is empty afterwards.
 */
void slots_restore(struct slots *s);

/*
 * Set the rights (PROT_...) of the pages that are read-only after relocation. 0, or
 * -errno.
 */
int slots_protect(const struct got_object *o, int rights);

#endif
