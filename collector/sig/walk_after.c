/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread waits for after its part of a parallel region; see walk.h. */
#include "collector/sig/join.h"
#include "collector/sig/walk.h"
#include "collector/sig/walk_state.h"

void
walk_set_after(struct walk *w, const struct walk_after *after)
{
    w->after.word = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    w->after.count = after->count;
    w->after.at = after->at;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    w->after.word = after->word;
}

void
walk_get_after(const struct walk *w, struct walk_after *after)
{
    *after = w->after;
}

u32
walk_after_work(struct walk *w, u32 node)
{
    struct path path = { .node = node };
    u32 parent = join_node(w->after.word);

    if (ER_LIKELY(!parent) || !node)
        return node;
    if (__atomic_load_n(w->after.count, __ATOMIC_RELAXED) != w->after.at)
        parent = 0;
    return path_join(w, &path, parent, NODE_WAITING) ? node : path.node;
}
