/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems: sentences about what is damaged, missing or doubtful in an experiment. They
 * do not stop the reading of what is left. The command `header` and stderr show them.
 * One thread at a time; but any thread may call problems_add().
 */
#ifndef ERTOOLS_PRINT_LOAD_PROBLEMS_H
#define ERTOOLS_PRINT_LOAD_PROBLEMS_H

#include <pthread.h>

#include "share/types.h"

enum {
    PROBLEMS_MAX = 200, /* further ones are only counted */
};

/* All 0 is empty. The sentences are freed by problems_free(). */
struct problems {
    pthread_mutex_t lock;
    char **text; /* without a final newline */
    u32 count;
    u32 unlisted; /* how many came after PROBLEMS_MAX */
};

/*
 * Add a sentence, unless it is in the list. If memory runs out, the sentence is
 * dropped.
 */
void problems_add(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void problems_free(struct problems *problems);

#endif
