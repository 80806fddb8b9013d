/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the text of a source file. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_SOURCETEXT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_SOURCETEXT_H

#include "print/model/session.h"

/*
 * Read the source file that was compiled as `path`: from the experiments' archives, by
 * the pathmaps, at the path itself, or in the search path. 0, and the caller frees
 * *text (`len` bytes, then a final zero) and *place (where it was found; NULL = no
 * memory); -ENOENT: it cannot be read.
 */
int sourcetext_read(struct session *session, const char *path, char **text, size_t *len,
                    char **place);

#endif
