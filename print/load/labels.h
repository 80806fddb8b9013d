/* SPDX-License-Identifier: Apache-2.0 */
/*
 * labels.xml: time intervals of a run that were named by er_label. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_LOAD_LABELS_H
#define ERTOOLS_PRINT_LOAD_LABELS_H

#include "print/base/problems.h"
#include "share/types.h"

#define LABELS_FILE "labels.xml"

struct pool;

/* One interval of a label; a label may have several. */
struct label {
    const char *name;
    const char *doc; /* "" = none */
    u64 start; /* ns from the start of the founder's run */
    u64 stop;  /* ns, the first moment after it; UINT64_MAX = not ended yet */
};

struct labels {
    /* start of the founder's run, CLOCK_MONOTONIC ns; labels' times count from it */
    u64 from;
    struct label *row; /* in the order of the file */
    u32 count;
    struct pool *memory;
};

/*
 * Read the labels from a founder's directory. 0 and *out for labels_free(); -ENOENT if
 * there are none, or another -errno. Damage is reported in `problems`; `name`: the path
 * for that.
 */
int labels_read(struct labels *out, int dirfd, const char *name,
                struct problems *problems);
void labels_free(struct labels *labels);

/*
 * The index of the first interval at or after `index` whose label has that name (`len`
 * bytes, case ignored); labels->count if there is none.
 */
u32 labels_find(const struct labels *labels, u32 index, const char *name, size_t len);

#endif
