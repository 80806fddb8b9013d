/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that show I/O have in common. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_IO_IOCOLS_H
#define ERTOOLS_PRINT_CMD_IO_IOCOLS_H

#include "print/cmd/shell.h"
#include "print/model/io/io.h"

/*
 * The columns of sums: total time without waits; then, for each class, count, bytes and
 * time.
 */
struct iocols {
    struct table *table;
    u32 time;
    u32 count[IO_CLASSES], bytes[IO_CLASSES], spent[IO_CLASSES];
};

void iocols_add(struct iocols *columns, struct table *table);
void iocols_fill(const struct iocols *columns, const struct io_sums *sums);

/*
 * Call io_get(). 0; or 1 after a message, which also says so if there is nothing to
 * show.
 */
int iocols_get(struct shell *sh, u32 want, struct io *io);

/* A file's name, or "<no file>" or "<unknown>"; it lives as long as the table. */
const char *iocols_name(struct table *t, const struct io_open *open);

/* "regular file", "socket", ... */
const char *iocols_kind(u32 kind);

/* "ext4", or "0x1234" in the table's memory; "" for 0. */
const char *iocols_fstype(struct table *t, u64 fstype);

/* "ENOENT" */
const char *iocols_error(struct table *t, u32 error);

/* Sort: most time first, then most bytes, most calls, by name. */
void iocols_sort(struct io_file *file, u32 count);

extern const char *const iocols_classes[IO_CLASSES]; /* "Read", ... */

#endif
