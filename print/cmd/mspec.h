/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of metrics: it says which columns are shown, in what order, and by what
 * rows are sorted.
 *
 *   SPEC = ITEM [: ITEM]...    ITEM = FLAVOURS VISIBILITY NAME | [VISIBILITY] STATIC
 *   FLAVOURS    letters e i a   exclusive, inclusive, attributed
 *   VISIBILITY  . time or value, + the same, % percent of the total, ! hidden
 *   NAME        a metric of print/metrics.def, a counter, or a ratio of
 *               print/ratios.def, which has no percent; any = all of them,
 *               hwc = all counters
 *   STATIC      name, size, address
 *
 * ie.%user stands for i.user:i%user:e.user:e%user. If a column is asked for twice, it
 * is shown once; if it is hidden first, it stays hidden. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_MSPEC_H
#define ERTOOLS_PRINT_CMD_MSPEC_H

#include <stddef.h>

#include "print/model/views/view.h"

enum mspec_kind {
    MSPEC_METRIC,
    MSPEC_NAME,
    MSPEC_SIZE,
    MSPEC_ADDRESS,
};

struct mspec_item {
    enum mspec_kind kind;
    enum metric metric;   /* in MSPEC_METRIC only */
    enum flavour flavour; /* in MSPEC_METRIC only */
    char visibility; /* '.', '%' or '!'; '+' has become '.' */
};

enum { MSPEC_MAX = METRIC_ALL * FLAVOUR_COUNT * 3 + 3 };

struct mspec {
    u32 n;
    struct mspec_item item[MSPEC_MAX];
};

enum { MSPEC_ERROR = 200 }; /* bytes of an error's sentence */

/*
 * Returns 0 and fills *out; or -EINVAL, with a sentence in `error` that names the
 * column of the mistake (the first is 1).
 */
int mspec_parse(const char *text, struct mspec *out, char *error);

/* Append an item, unless it is there. A column that is there as hidden stays so. */
void mspec_add(struct mspec *spec, struct mspec_item item);

/*
 * Parse a sort order: [-] [FLAVOUR] [VISIBILITY] NAME or STATIC; - reverses the order.
 * If no flavour is given, it is exclusive. Returns like mspec_parse().
 */
int mspec_parse_sort(const char *text, struct order *out, char *error);

/* Write the items as text, as short as possible; buf always ends with a 0. */
void mspec_format(const struct mspec *spec, char *buf, size_t size);
void mspec_format_sort(const struct order *order, char *buf, size_t size);

#endif
