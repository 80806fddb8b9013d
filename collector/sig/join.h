/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joined stacks: a function that runs for a caller on another stack, as the body of an
 * OpenMP region does in the threads of its team. The hook that starts it notes the
 * caller's node, and calls the function through join_call(). A walk that reaches that
 * frame continues to the root as usual; the frames below join_call() then get the noted
 * node as their parent: see NODE_JOINED.
 *
 * The word that stands for the node is on join_call()'s stack. So it is gone with the
 * frame, even if an exception or longjmp() leaves the frame.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_JOIN_H
#define ERTOOLS_COLLECTOR_SIG_JOIN_H

#include "collector/sig/node.h"
#include "share/types.h"

/* Call function(arg) for the caller that word stands for. Normal context. */
void join_call(void (*function)(void *), void *arg, u64 word)
    __attribute__((visibility("hidden")));

/* The return address of function(): there, the stack pointer is at the word. */
extern const char join_return[] __attribute__((visibility("hidden")));

/* The word for a node; 0, for no node, joins nothing. Not valid in a forked child. */
static inline u64
join_word(u32 node)
{
    return node ? (u64)node_file << 32 | node : 0;
}

/* The node of a word, or 0 when it is of another process's file. */
static inline u32
join_node(u64 word)
{
    return word >> 32 == node_file ? (u32)word : 0;
}

#endif
