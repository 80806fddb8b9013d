/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems: sentences about what is damaged, missing or doubtful in an experiment. They
 * do not stop the reading of what is left. The command `header` and stderr show them.
 * Any thread may call problems_add(); all else is for one thread at a time.
 */
#ifndef ERTOOLS_PRINT_BASE_PROBLEMS_H
#define ERTOOLS_PRINT_BASE_PROBLEMS_H

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
    u32 unlisted; /* how many are not in the list, since it is full */
};

/*
 * Add a sentence, unless it is already in the list. If the list is full, the sentence
 * is only counted; if memory runs out, it is dropped.
 */
void problems_add(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void problems_free(struct problems *problems);

#endif
