/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of load objects that were changed, so that they can be restored. Normal context
 * of any thread; the caller lets only one thread at a time use a list. Memory comes
 * from the kernel, as malloc() is the target's.
 */
#ifndef ERTOOLS_COLLECTOR_GOT_SLOTS_H
#define ERTOOLS_COLLECTOR_GOT_SLOTS_H

#include "collector/got/object.h"
#include "share/types.h"

struct slot {
    u64 *at;    /* the word */
    u64 before; /* its old value */
    u64 ours;   /* the address of our function */
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
 * loaded and can be written. The list is empty afterwards.
 */
void slots_restore(struct slots *s);

/*
 * Make the pages writable that are read-only after relocation. 1: call slots_close()
 * after the writes. 0: words for which slots_is_closed() is 1 must not be written: the
 * pages are writable already, so the loader has not yet relocated the object, and will
 * write there; or the kernel refuses.
 */
int slots_open(const struct got_object *o);
void slots_close(const struct got_object *o);

/* Is the word in a page that is read-only after relocation? */
int slots_is_closed(const struct got_object *o, const u64 *at);

#endif
