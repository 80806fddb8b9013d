/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which threads acquired locks: a graph. An edge leads from a lock that
 * was held to a lock that was then asked for. For the model's own use; see deadlocks.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_LOCKORDER_H
#define ERTOOLS_PRINT_MODEL_SYNC_LOCKORDER_H

#include <stdbool.h>

#include "print/model/session.h"

/* A thread that held the lock `from` asked for the lock `to`. */
struct order_record {
    u64 time; /* record time */
    u64 held;   /* address of the lock `from` */
    u64 object; /* address of the lock `to` */
    u32 held_kind; /* enum er_sync_kind */
    u32 kind;
    u32 held_node; /* where `from` was acquired: the experiment's own id */
    u32 node;      /* where `to` was asked for: the experiment's own id */
    u32 slot; /* the thread: index in threads.row + 1; 0 = none */
    u32 ask;  /* number of the request; it has one record for each lock held */
    u32 from; /* vertices */
    u32 to;
};

/*
 * One lock: an address and a kind. A later lock at the same address is another vertex.
 */
struct order_vertex {
    u64 addr;
    u32 kind; /* as in struct lock */
};

/* All records whose locks are these two vertices. */
struct order_edge {
    u32 from;
    u32 to;
    u32 first; /* index of the first of them in record[] */
    u32 count;
};

struct lock_order {
    struct order_record *record; /* by from, to, time */
    u32 records;
    u32 room;
    struct order_vertex *vertex;
    u32 vertices;
    struct order_edge *edge; /* by from, to */
    u32 edges;
    u32 *out;    /* by vertex: its first edge; one more entry ends the last */
    u32 *by_ask; /* indices in record[], sorted by ask */
    u32 *ask;    /* by ask: its first entry in by_ask; one more entry ends the last */
    u32 asks;
    u32 left_out; /* number of records left out, as there were too many */
};

/*
 * Make the graph. 0 and *out for lockorder_free(); -ENOENT (no such data) or -ENOMEM.
 */
int lockorder_read(struct session *session, u32 experiment, struct lock_order *out);
void lockorder_free(struct lock_order *order);

#endif
