/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For filter words that ask for files: names, file systems and descriptors, by the id
 * that I/O records have. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERFILES_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERFILES_H

#include <regex.h>

#include "print/load/experiment.h"
#include "share/record.h"

struct filter_file {
    struct er_str name; /* lives as long as the experiment */
    u64 fstype; /* statfs(2)'s f_type, 0 = not known */
    int64_t fd; /* -1 = none */
    bool known; /* there is a file with this number */
};

/* The files of an experiment. */
struct filter_files {
    struct filter_file *file; /* by number: the id in records */
    u32 count;
    u32 room;
};

/*
 * Read the files. 0 and *out for filterfiles_free(), or -ENOMEM. *out is empty if the
 * experiment has no such data.
 */
int filterfiles_load(struct experiment *experiment, struct filter_files *out);
void filterfiles_free(struct filter_files *files);

/*
 * Find the files whose name or, if `system`, whose file system's name matches: 1 by
 * number of a file that does, else 0; for the caller to free. NULL: no memory.
 */
unsigned char *filterfiles_match(const struct filter_files *files,
                                 const regex_t *pattern, bool system);

#endif
