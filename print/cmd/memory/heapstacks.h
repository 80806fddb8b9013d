/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What allocs and heap have in common: a block of facts for each stack of the
 * heap. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_MEMORY_HEAPSTACKS_H
#define ERTOOLS_PRINT_CMD_MEMORY_HEAPSTACKS_H

#include "print/cmd/list.h"
#include "print/model/heap/heap.h"

/* Which stacks are listed (those with bytes of this kind), most bytes first. */
struct heapstacks {
    const char *command;
    const char *title;
    const char *word; /* "Leak": each block's heading, with its number */
    u64 (*count)(const struct heap_sums *sums); /* blocks; 0: the stack is not listed */
    u64 (*bytes)(const struct heap_sums *sums);
    bool all; /* show every sum, not only these two */
};

/* Show them. Returns 0 or 1. */
int heapstacks_show(struct shell *sh, const struct heapstacks *what);

/* Sums as columns, and a row's cells. */
struct heapsums {
    struct table *table;
    u32 calls, bytes, leaks, leak_bytes, peak, peak_bytes, temporary, life, shortest;
};

void heapsums_columns(struct heapsums *columns, struct table *table);
void heapsums_fill(const struct heapsums *columns, const struct heap_sums *sums);

/* Report that there is no heap data; returns 1. */
int heapstacks_nothing(struct shell *sh);

/* Whether any experiment has heap data. */
bool heapstacks_any(const struct heap *heap);

#endif
