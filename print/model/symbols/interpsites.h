/* SPDX-License-Identifier: Apache-2.0 */
/* Sites in interpreted code, and in the interpreter. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_INTERPSITES_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_INTERPSITES_H

#include "print/model/session.h"

/* Get the site for the code_place() in a stack node of an experiment. 0 or -ENOMEM. */
int interpsites_of(struct session *session, u32 experiment, u64 place, u32 *site);

/*
 * interpsites_is_eval(): is the site in the evaluation function, whose calls run
 * interpreted frames? interpsites_is_internal(): is the site in any function of the
 * interpreter itself, whose work counts at interpreted functions? It is false for
 * objects in which no interpsites_is_eval() was true yet.
 */
bool interpsites_is_eval(struct session *session, u32 site);
bool interpsites_is_internal(struct session *session, u32 site);

/*
 * Is the site in libc's code between _start and main, by its function's name? within:
 * its caller is in that code.
 */
bool interpsites_is_start(struct session *session, u32 site, bool within);

#endif
