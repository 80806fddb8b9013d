/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that show data objects have in common. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_MEMORY_DATAVIEW_H
#define ERTOOLS_PRINT_CMD_MEMORY_DATAVIEW_H

#include "print/cmd/shell.h"
#include "print/model/views/dataobjs.h"

/* A table of data objects; it has a column for each counter with data addresses. */
struct dataview {
    struct shell *sh;
    struct table *t;
    struct data_objects data;
    struct order order;
    u32 counters;
    enum metric metric[DATA_COUNTERS];
    u32 value[DATA_COUNTERS], share[DATA_COUNTERS];
    u32 hits;
};

/*
 * Read the data objects. 0, for dataview_close(); or 1 after a message, also if there
 * are none.
 */
int dataview_open(struct dataview *v, struct shell *sh);
void dataview_close(struct dataview *v);

/* Begin the table, with the title "WHAT, by METRIC" and the counters' columns. */
void dataview_table(struct dataview *v, const char *command, const char *what);

/* Fill the counters' columns of the last row. */
void dataview_fill(const struct dataview *v, const struct values *values, u64 hits);

/* An object's title: "buffer", "Block of make (a.c:12)". The table owns it. */
const char *dataview_title(const struct dataview *v, const struct data_object *object);

/* "variable", "heap block", ... */
const char *dataview_kind(enum data_kind kind);

#endif
